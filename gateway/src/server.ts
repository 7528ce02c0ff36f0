import type { IncomingHttpHeaders } from 'node:http';
import { cookieNameOf, onlyCookies } from '@caravan/auth/cookies';
import { webhooksPath } from '@caravan/contracts/http/fitness-webhooks';
import { topicsOf } from '@caravan/contracts/http/live';
import { formatPositions, parsePositions } from '@caravan/contracts/events/log-position';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { Rejected } from '@caravan/kernel/rejected';
import { addHealthRoutes, type Health } from '@caravan/service-kit/http/health.controller';
import type { Dependencies } from '@caravan/service-kit/process/dependency';
import type { Log } from '@caravan/service-kit/telemetry/log';
import type { Metrics } from '@caravan/service-kit/telemetry/metrics';
import type { TraceContext } from '@caravan/service-kit/telemetry/request-context';
import { objectsPath } from '@caravan/service-kit/storage/storage-address';
import type { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import { closeHttpSpan, formatTraceparent, openSpan } from '@caravan/service-kit/telemetry/tracing';
import type { UploadAddresses } from '@caravan/service-kit/storage/upload-address';
import { refuseExpectations, refuseUnreadable } from '@caravan/service-kit/http/unreadable-requests';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { describeApi } from './web/api-description.ts';
import { limitArrival } from './admission/arrival.ts';
import { budgetOf } from './routing/budgets.ts';
import type { AdmissionControl } from './admission/admission-control.ts';
import type { OpenPages } from './live/open-pages.ts';
import { addCompanionSockets } from './admission/companion-sockets.ts';
import type { Connections } from './admission/connections.ts';
import { markMembers, senderOf } from './admission/member-requests.ts';
import { Upstream } from './routing/proxy.ts';
import { refuse } from './admission/refusals.ts';
import { deliveryBodyBytes, openBodyBytes, type RequestBodies, signedInBodyBytes } from './admission/request-bodies.ts';
import { declareAccess, type DeclaredRoute, guardRoutes } from './admission/route-access.ts';
import { cookiesOf, isRepeatable, patternOf, routes } from './routing/routes.ts';
import type { SharedPositions } from './routing/shared-positions.ts';
import { addUploadRoute } from './uploads/upload-route.ts';
import { uploadMilliseconds } from './uploads/upload-watch.ts';
import type { Uploads } from './uploads/uploads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request that is handed on. */
    trace?: TraceContext;
  }
}

/** People open the address that a mail names, mail programs post to it (RFC 8058). */
const isUnsubscribePage = /^\/unsubscribe\?/;

export type ServerParts = {
  readonly admission: AdmissionControl;
  readonly pages: OpenPages;
  readonly bodies: RequestBodies;
  readonly services: Readonly<Record<ServiceName, string>>;
  readonly positions: SharedPositions;
  readonly uploads: Uploads;
  readonly uploadAddresses: UploadAddresses;
  readonly connections: Pick<Connections, 'spare'>;
  /** On every answer; what may be kept says so itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly trustedProxies: string;
  readonly publicUrl: string;
  readonly credential: ServiceCredential;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly dependencies: Dependencies;
};

export type GatewayServer = {
  readonly app: FastifyInstance;
  readonly routes: { all(): DeclaredRoute[] };
};

export function createServer(parts: ServerParts): GatewayServer {
  const { headers, log } = parts;
  const refuseWith = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    refuse(parts, error, request, reply);
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    trustProxy: parts.trustedProxies === '' ? false : parts.trustedProxies.split(','),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 2048 },
    rewriteUrl: ({ method, url = '/' }) => (method === 'POST' && isUnsubscribePage.test(url) ? `/api${url}` : url),
    requestTimeout: uploadMilliseconds,
    forceCloseConnections: 'idle',
    // A request that arrives while the gateway stops is answered like any other, and its connection closed.
    return503OnClosing: false,
    // Answers that Node writes by itself have none of our headers.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, headers),
    // The router refuses broken addresses before any handler is asked.
    frameworkErrors: (error, request, reply) => void refuseWith(error, request, reply.headers(headers)),
  });
  refuseExpectations(app.server, headers);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  const upstreams = openUpstreams(app, parts);
  countAnswers(app, parts.metrics);
  traceForwarded(app);
  limitArrival(app);
  const guarded = guardRoutes(app, parts.admission);
  markMembers(app, parts.connections);
  readBodies(app, parts.bodies);
  app.setErrorHandler(refuseWith);
  app.setNotFoundHandler((request, reply) => refuseWith(notFound(), request, reply));
  for (const { prefix, service } of routes) {
    const upstream = upstreams[prefix.startsWith(objectsPath) ? 'photos' : service];
    const handler = (request: FastifyRequest, reply: FastifyReply) => pass(parts, upstream, request, reply);
    app.all(patternOf(prefix), { config: { access: 'service' } }, handler);
    app.all(`${patternOf(prefix)}/*`, { config: { access: 'service' } }, handler);
  }
  addUploadRoute(app, parts);
  addCompanionSockets(app, parts);
  addStream(app, parts);
  describeApi(app);
  void app.register((scope, _options, done) => {
    declareAccess(scope, 'public');
    addHealthRoutes(scope, parts.health);
    done();
  });
  return { app, routes: guarded };
}

const notFound = () => new Rejected('request/not-found', 'not-found', 'Not found');

/** A good token has been shown by then, or the operation needs none. */
function readBodies(app: FastifyInstance, bodies: RequestBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest) => {
    const isDelivery = request.routeOptions.url?.startsWith(webhooksPath) === true;
    const openBytes = isDelivery ? deliveryBodyBytes : openBodyBytes;
    return bodies.read(request.raw, senderOf(request), request.claims ? signedInBodyBytes : openBytes);
  });
}

function openUpstreams(app: FastifyInstance, parts: ServerParts): Record<ServiceName | 'photos', Upstream> {
  const open = (name: ServiceName) =>
    new Upstream(name, parts.services[name], (options) => parts.dependencies.of(options));
  const ofServices = Object.fromEntries(serviceNames.map((name) => [name, open(name)])) as Record<
    ServiceName,
    Upstream
  >;
  // Connections of their own: who reads pictures slowly keeps nobody from logging.
  const upstreams = { ...ofServices, photos: open('activity') };
  app.addHook('onClose', async () => {
    await Promise.all([parts.uploads, ...Object.values(upstreams)].map((upstream) => upstream.close()));
  });
  return upstreams;
}

async function pass(
  parts: ServerParts,
  upstream: Upstream,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [path = ''] = request.url.split('?', 1);
  const { milliseconds, isLong } = budgetOf(request.method, path);
  const until = performance.now() + milliseconds - request.admissionMilliseconds;
  const { claims } = request;
  const awaited = claims && (await parts.positions.of(claims.sub));
  const names = cookiesOf(request.method, path).map((use) => cookieNameOf(use, parts.publicUrl));
  const cookie = onlyCookies(request.headers.cookie, names);
  const forwarded = {
    method: request.method,
    path: request.url,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : null,
    until,
    isLong,
    isRepeatable: isRepeatable(request.method, path, request.headers),
    vouched: {
      ...parts.credential.headers,
      ...(cookie !== undefined && { cookie }),
      'x-forwarded-for': request.ip,
      'x-forwarded-proto': request.protocol,
      traceparent: formatTraceparent(request.trace ?? openTrace(request)),
      ...(awaited?.positions && { 'x-min-position': formatPositions(awaited.positions) }),
    },
  };
  await upstream.forward(forwarded, reply.raw, (headers) => {
    const stored = rememberWritten(parts, headers, claims?.sub);
    const mayKeep = headers['cache-control']?.toString();
    const added = {
      ...parts.headers,
      ...(mayKeep !== undefined && { 'cache-control': mayKeep }),
      ...(awaited?.isCertain === false && { 'x-stale': 'true' }),
    };
    return stored ? stored.then(() => added) : added;
  });
  reply.hijack();
}

/** For the caller and for whomever else the answer concerns; undefined where no other gateway needs to know. */
function rememberWritten(
  { positions }: Pick<ServerParts, 'positions'>,
  headers: IncomingHttpHeaders,
  callerId: string | undefined,
): Promise<unknown> | undefined {
  const written = headers['x-event-position']?.toString();
  if (written === undefined) return undefined;
  const subject = headers['x-event-subject']?.toString() ?? callerId;
  const concerned = headers['x-event-concerns']?.toString();
  const stored = [subject, concerned].flatMap((userId) =>
    userId === undefined ? [] : (positions.remember(userId, parsePositions(written)) ?? []),
  );
  return stored.length > 0 ? Promise.all(stored) : undefined;
}

function addStream(app: FastifyInstance, { pages, headers }: ServerParts): void {
  app.get(
    streamPath,
    { config: { access: 'member' }, exposeHeadRoute: false },
    ({ claims, headers: given, url }, reply) => {
      if (!claims) throw new Error('the stream is for members');
      reply.hijack();
      const lastEventId = given['last-event-id']?.toString();
      const asked = new URLSearchParams(url.split('?')[1]);
      const shows = asked.get('shows');
      pages.hold({
        claims,
        response: reply.raw,
        headers,
        lastEventId,
        shows: shows === null ? undefined : topicsOf(shows),
        isFirst: asked.has('first'),
      });
    },
  );
}

const streamPath = '/api/events';
/** As nginx says of a client that left before its answer began. */
const clientLeft = 499;

function countAnswers(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('trace');
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { raw } = reply;
    if (route !== streamPath)
      raw.once('close', () => {
        const status = raw.headersSent ? raw.statusCode : clientLeft;
        const answer = { method: request.method, route, status, seconds: reply.elapsedTime / 1000 };
        metrics.observeHttp(answer, request.trace);
      });
    done();
  });
}

/** Traces the requests that a service answers, and those that are refused here on their way to one. */
function traceForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    if (request.routeOptions.config.access !== 'service') return done();
    const trace = openTrace(request);
    request.trace = trace;
    const name = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    raw.once('close', () => closeHttpSpan(trace, { name, status: raw.statusCode, isWhole: raw.writableFinished }));
    return done();
  });
}

const openTrace = ({ headers }: FastifyRequest): TraceContext =>
  openSpan('gateway', { kind: 'server', traceparent: headers['traceparent']?.toString() });
