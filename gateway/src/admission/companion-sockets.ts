import { type IncomingMessage, request as ask, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { companionSocketPath } from '@caravan/contracts/http/companion';
import { Rejected } from '@caravan/kernel/rejected';
import { networkOf } from '@caravan/service-kit/http/network';
import type { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdmissionControl } from './admission-control.ts';
import type { Connections } from './connections.ts';
import { markFromMember } from './member-requests.ts';
import { NoPlace } from './no-place.ts';

const mostOpen = 1_000;
const mostPerNetwork = 30;
const answerMilliseconds = 5_000;
/** Without a byte: as long as the panel waits for one (9.26). */
const idleMilliseconds = 300_000;
/** A file is fetched in a minute, or not at all. */
const longestMilliseconds = 600_000;

const token = /^[\w-]{43}$/;
const handshake = ['sec-websocket-key', 'sec-websocket-version'] as const;

type Upgrade = { readonly socket: Duplex; readonly head: Buffer };
type Parts = {
  readonly admission: AdmissionControl;
  readonly services: { readonly activity: string };
  readonly credential: ServiceCredential;
  readonly publicUrl: string;
  readonly connections: Pick<Connections, 'spare'>;
};

/** Passes the sockets of the upload panel on (7.37, D42). No other path of the product is ever upgraded. */
export function addCompanionSockets(app: FastifyInstance, parts: Parts): void {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const open = new OpenSockets();
  const isSocket = ({ method, url = '', headers }: IncomingMessage) =>
    method === 'GET' && url.startsWith(`${companionSocketPath}/`) && headers.upgrade?.toLowerCase() === 'websocket';
  Object.assign(app.server, { shouldUpgradeCallback: isSocket });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrades.set(request, { socket, head });
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    app.routing(request, response);
  });
  // The token in the path is the right to it: it was given to the person who began the import.
  app.get(`${companionSocketPath}/:token`, { config: { access: 'public' } }, async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade || !token.test((request.params as { token: string }).token)) throw notFound();
    refuseOtherSites(request, parts.publicUrl);
    await parts.admission.countOpen(`GET ${companionSocketPath}`, request.ip);
    await open.during(networkOf(request.ip), upgrade.socket, () => pass(parts, upgrade, request, reply));
  });
  app.addHook('preClose', (done) => {
    open.closeAll();
    done();
  });
}

/** A page of another site cannot know a token, and has no business here. */
function refuseOtherSites({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new Rejected('companion/other-site', 'forbidden', 'This socket is for the pages of this site');
}

class OpenSockets {
  private readonly sockets = new Set<Duplex>();
  private readonly ofNetwork = new Map<string, number>();

  /** Counted until it closes. Throws `Rejected`. */
  async during(network: string, socket: Duplex, work: () => Promise<void>): Promise<void> {
    const mine = this.ofNetwork.get(network) ?? 0;
    if (mine >= mostPerNetwork) throw tooMany();
    if (this.sockets.size >= mostOpen) throw noneLeft();
    if (socket.destroyed) throw notFound();
    this.sockets.add(socket);
    this.ofNetwork.set(network, mine + 1);
    socket.once('close', () => {
      this.sockets.delete(socket);
      const left = (this.ofNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.ofNetwork.set(network, left);
      else this.ofNetwork.delete(network);
    });
    await work();
  }

  closeAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

async function pass(
  { services, credential, connections }: Parts,
  { socket, head }: Upgrade,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    answer: IncomingMessage;
    inside: Duplex;
    first: Buffer;
  }>();
  const headers: Record<string, string> = { ...credential.headers, connection: 'Upgrade', upgrade: 'websocket' };
  for (const name of handshake) headers[name] = request.headers[name]?.toString() ?? '';
  headers['x-forwarded-for'] = request.ip;
  const [path = ''] = request.url.split('?', 1);
  const asked = ask(new URL(path, services.activity), { agent: false, headers });
  const late = setTimeout(() => asked.destroy(new Error('no answer')), answerMilliseconds);
  asked.on('upgrade', (answer, inside, first) => resolve({ answer, inside, first }));
  asked.on('response', (answer) => {
    answer.resume();
    reject(answer.statusCode === 401 || answer.statusCode === 404 ? notFound() : unavailable());
  });
  asked.on('error', () => reject(unavailable()));
  socket.once('close', () => asked.destroy());
  asked.end();
  const { answer, inside, first } = await promise.finally(() => clearTimeout(late));
  markFromMember(request, connections);
  reply.hijack();
  reply.raw.detachSocket(socket as Socket);
  const accept = answer.headers['sec-websocket-accept'] ?? '';
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  join(socket as Socket, inside as Socket, { head, first });
}

/** Until one of them closes. */
function join(outside: Socket, inside: Socket, { head, first }: { head: Buffer; first: Buffer }): void {
  const end = () => {
    clearTimeout(longest);
    outside.destroy();
    inside.destroy();
  };
  const longest = setTimeout(end, longestMilliseconds);
  for (const socket of [outside, inside]) socket.setTimeout(idleMilliseconds, end).on('error', end).once('close', end);
  inside.write(head);
  outside.write(first);
  outside.pipe(inside);
  inside.pipe(outside);
}

const notFound = () => new Rejected('request/not-found', 'not-found', 'Not found');
const tooMany = () =>
  new Rejected('companion/too-many-sockets', 'too-many', 'Too many photos are being fetched. Please wait for some.', {
    retryAfterSeconds: 5,
  });
const noneLeft = () =>
  new NoPlace('service/unavailable', 'This is not available right now. Please try again.', 1);
const unavailable = () =>
  new Rejected('service/unavailable', 'unavailable', 'This is not available right now. Please try again.', {
    retryAfterSeconds: 1,
  });
