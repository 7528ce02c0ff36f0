import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Rejected } from '@caravan/event-store/rejected';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Shown by the processes of an instance to each other; the gateway takes it from nobody and gives it to nobody. */
export const credentialHeader = 'x-service-credential';

/** Milliseconds that whoever asks will wait for the answer; the gateway says it, nobody outside. */
export const timeLeftHeader = 'x-time-left-milliseconds';

/** What only the gateway and neighbours may say about a request; from anybody else it is not believed (S39). */
const vouchedHeaders = [
  'forwarded',
  timeLeftHeader,
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-min-position',
  'x-real-ip',
];

/** The secret that the processes of one instance share (`SERVICE_CREDENTIAL`). */
export class ServiceCredential {
  /** Sent along with every call to another process of the instance. */
  readonly headers: Readonly<Record<string, string>>;
  private readonly digest: Buffer;

  constructor(credential: string) {
    this.headers = { [credentialHeader]: credential };
    this.digest = digestOf(credential);
  }

  isShownIn(headers: IncomingHttpHeaders): boolean {
    return this.is(headers[credentialHeader]);
  }

  /** For Prometheus, which sends `Authorization: Bearer …` and in older versions no header of one's own. */
  isBearerIn({ authorization }: IncomingHttpHeaders): boolean {
    return this.is(/^Bearer (.+)$/i.exec(authorization ?? '')?.[1]);
  }

  /** In constant time: hashed first, since comparing needs equal lengths. */
  private is(shown: string | string[] | undefined): boolean {
    return typeof shown === 'string' && timingSafeEqual(digestOf(shown), this.digest);
  }
}

/**
 * Tells neighbours from strangers, before anything reads a request: `/internal/*` and `/metrics` answer to whom shows the
 * credential, and only such a caller is believed who the client is. The credential itself goes no further.
 */
export function tellNeighboursApart(fastify: FastifyInstance, credential: ServiceCredential): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const isNeighbour = credential.isShownIn(headers) || (isMetrics(request) && credential.isBearerIn(headers));
    Reflect.deleteProperty(headers, credentialHeader);
    if (isNeighbour) return done();
    for (const name of vouchedHeaders) Reflect.deleteProperty(headers, name);
    if (isInternal(request)) return done(refusedStranger());
    return done();
  });
}

const isMetrics = ({ routeOptions }: FastifyRequest) => routeOptions.url === '/metrics';
const isInternal = (request: FastifyRequest) =>
  isMetrics(request) || request.routeOptions.url?.startsWith('/internal/') === true;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

const refusedStranger = () =>
  new Rejected(
    'auth/no-service-credential',
    'unauthenticated',
    `This is answered to the processes of the instance only, by their credential in ${credentialHeader}.`,
  );
