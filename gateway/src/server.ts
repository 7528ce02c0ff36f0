import type { Claims } from '@caravan/auth/claims';
import { cookieNameOf, onlyCookies } from '@caravan/auth/cookies';
import { webhooksPath } from '@caravan/contracts/http/fitness-webhooks';
import { topicsOf } from '@caravan/contracts/http/live';
import { formatPositions, parsePositions } from '@caravan/contracts/log-position';
import { type ServiceName, serviceNames } from '@caravan/contracts/topics';
import { Rejected } from '@caravan/event-store/rejected';
import { addHealthRoutes, type Health } from '@caravan/service-kit/health.controller';
import type { Dependencies } from '@caravan/service-kit/dependency';
import type { Log } from '@caravan/service-kit/log';
import type { Metrics } from '@caravan/service-kit/metrics';
import { problemOf } from '@caravan/service-kit/problem';
import type { TraceContext } from '@caravan/service-kit/request-context';
import { logSecurityOnce, securityOfRefusal } from '@caravan/service-kit/security-log';
import { objectsPath } from '@caravan/service-kit/storage-address';
import type { ServiceCredential } from '@caravan/service-kit/service-credential';
import { closeHttpSpan, formatTraceparent, openSpan } from '@caravan/service-kit/tracing';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { describeApi } from './api-description.ts';
import { limitArrival } from './arrival.ts';
import { budgetOf } from './budgets.ts';
import type { AdmissionControl } from './admission-control.ts';
import type { OpenPages } from './live/open-pages.ts';
import { addCompanionSockets } from './companion-sockets.ts';
import { Upstream } from './proxy.ts';
import { cookiesOf, openPathOf, patternOf, routes } from './routes.ts';
import type { SharedPositions } from './shared-positions.ts';
import { addUploadRoute, type Uploads, uploadMilliseconds } from './uploads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request that is handed on. */
    trace?: TraceContext;
  }
}

/** People open the address that a mail names, mail programs post to it (RFC 8058). */
const isUnsubscribePage = /^\/unsubscribe\?/;

const maximumBodyBytes = 1024 * 1024;
/** What is refused for its size is read to its end up to this. */
const mostReadBytes = 16 * maximumBodyBytes;

export type ServerParts = {
  readonly admission: AdmissionControl;
  readonly pages: OpenPages;
  readonly services: Readonly<Record<ServiceName, string>>;
  readonly positions: SharedPositions;
  readonly uploads: Uploads;
  readonly headers: Readonly<Record<string, string>>;
  readonly trustedProxies: string;
  readonly publicUrl: string;
  readonly credential: ServiceCredential;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly dependencies: Dependencies;
};

export function createServer(parts: ServerParts): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = parts.log;
  const app = fastify({
    loggerInstance,
    bodyLimit: maximumBodyBytes,
    trustProxy: parts.trustedProxies === '' ? false : parts.trustedProxies.split(','),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 2048 },
    rewriteUrl: ({ method, url = '/' }) => (method === 'POST' && isUnsubscribePage.test(url) ? `/api${url}` : url),
    requestTimeout: uploadMilliseconds,
    forceCloseConnections: 'idle',
    // The router refuses broken addresses before any handler is asked.
    frameworkErrors: (error, request, reply) => void refuse(parts, error, request, reply),
  });
  const upstreams = openUpstreams(app, parts);
  countAnswers(app, parts.metrics);
  limitArrival(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => refuse(parts, error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    refuse(parts, new Rejected('request/not-found', 'not-found', 'Not found'), request, reply),
  );

  for (const { prefix, service } of routes) {
    const upstream = upstreams[prefix.startsWith(objectsPath) ? 'photos' : service];
    const handler = (request: FastifyRequest, reply: FastifyReply) => pass(parts, upstream, request, reply);
    app.all(patternOf(prefix), handler);
    app.all(`${patternOf(prefix)}/*`, handler);
  }
  addUploadRoute(app, parts);
  addCompanionSockets(app, parts);
  addStream(app, parts);
  describeApi(app, parts.headers);
  addHealthRoutes(app, parts.health);
  return app;
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
  const until = performance.now() + milliseconds;
  const trace = traced(request, reply);
  const claims = await admitted(parts.admission, request, path);
  const awaited = claims && (await parts.positions.of(claims.sub));
  const names = cookiesOf(request.method, path).map((use) => cookieNameOf(use, parts.publicUrl));
  const cookie = onlyCookies(request.headers.cookie, names);
  const forwarded = {
    method: request.method,
    path: request.url,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : null,
    ...{ until, isLong },
    vouched: {
      ...parts.credential.headers,
      ...(cookie !== undefined && { cookie }),
      'x-forwarded-for': request.ip,
      'x-forwarded-proto': request.protocol,
      traceparent: formatTraceparent(trace),
      ...(awaited && { 'x-min-position': formatPositions(awaited) }),
    },
  };
  await upstream.forward(forwarded, reply.raw, (headers) => {
    const subject = headers['x-event-subject']?.toString() ?? claims?.sub;
    const written = headers['x-event-position']?.toString();
    if (subject && written) parts.positions.remember(subject, parsePositions(written));
    return parts.headers;
  });
  reply.hijack();
}

async function admitted(
  admission: AdmissionControl,
  { method, headers, ip }: FastifyRequest,
  path: string,
): Promise<Claims | undefined> {
  const open = openPathOf(method, path);
  if (open === undefined) return admission.admit(headers.authorization, ip);
  if (open.startsWith(webhooksPath)) await admission.countDelivery(open, ip);
  // Photos are counted as files.
  else if (!open.startsWith(objectsPath)) await admission.countOpen(open, ip);
  return undefined;
}

const addStream = (app: FastifyInstance, parts: ServerParts) =>
  app.get(streamPath, (request, reply) => stream(parts, request, reply));

async function stream(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const claims = await parts.admission.admit(request.headers.authorization, request.ip);
  reply.hijack();
  const lastEventId = request.headers['last-event-id']?.toString();
  const asked = new URLSearchParams(request.url.split('?')[1]);
  const shows = asked.get('shows');
  parts.pages.hold({
    ...{ claims, response: reply.raw, headers: parts.headers, lastEventId },
    shows: shows === null ? undefined : topicsOf(shows),
    isFirst: asked.has('first'),
  });
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

function traced(request: FastifyRequest, { raw }: FastifyReply): TraceContext {
  const { method, headers, routeOptions } = request;
  const trace = openSpan('gateway', { kind: 'server', traceparent: headers['traceparent']?.toString() });
  request.trace = trace;
  const name = `${method} ${routeOptions.url ?? 'unknown'}`;
  raw.once('close', () => closeHttpSpan(trace, { name, status: raw.statusCode, isWhole: raw.writableFinished }));
  return trace;
}

function refuse(parts: ServerParts, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [instance = ''] = request.url.split('?', 1);
  const { status, problem, headers, isFault } = problemOf(error, { instance });
  if (isFault) request.log.error(error);
  if (status === 413) readOn(request, reply);
  const security = securityOfRefusal(problem);
  if (security)
    logSecurityOnce(parts.log, security, request.ip, { ip: request.ip, code: problem.code, path: instance });
  return reply
    .code(status)
    .headers(parts.headers)
    .headers(headers)
    .type('application/problem+json')
    .send(JSON.stringify(problem));
}

/** Who is still sending when the connection closes may never see the answer. */
function readOn({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  if (Number(headers['content-length']) > mostReadBytes || headers['content-length'] === undefined) return;
  reply.header('connection', 'keep-alive');
  raw.resume();
}
