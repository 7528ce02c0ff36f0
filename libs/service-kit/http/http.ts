import { isUtf8 } from 'node:buffer';
import type { Server } from 'node:http';
import { Transform } from 'node:stream';
import { onlyReading } from '@caravan/event-store/postgres/reading';
import { Rejected } from '@caravan/kernel/rejected';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { idleMilliseconds } from '../process/ending.ts';
import { addHealthRoutes, type Health } from './health.controller.ts';
import { unfitText } from './json-body.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { Invalid } from '@caravan/kernel/problem';
import { writeProblem } from './problem.filter.ts';
import { type Deadline, type RequestContext, runInContext } from '../telemetry/request-context.ts';
import { RouteTable } from './route-table.ts';
import { securityHeaders, uncached } from './security-headers.ts';
import { type ServiceCredential, tellPeersApart, timeLeftHeader } from './service-credential.ts';
import { closeHttpSpan, openSpan } from '../telemetry/tracing.ts';
import { hasNoHost, refuseExpectations, refuseUnreadable } from './unreadable-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    work: RequestContext | null;
  }
  interface FastifyContextConfig {
    bodyLimitBytes?: number;
    takesForms?: boolean;
    takesBytes?: boolean;
  }
}

export type HttpParts = {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly credential: ServiceCredential;
  readonly hasMetrics: boolean;
};

const kilobyte = 1024;
/** Limit for a caller without the service credential, who is unknown until the guard has verified the token. */
const strangersBytes = 16 * kilobyte;

const headersOfAnswers = { ...uncached, ...securityHeaders };

export function fastifyOptions(log: Log): FastifyHttpOptions<Server> {
  return {
    logger: false,
    bodyLimit: 100 * kilobyte,
    requestTimeout: 30_000,
    keepAliveTimeout: idleMilliseconds,
    // One hop, the gateway; what others say of themselves is not believed.
    trustProxy: (_address, hop) => hop === 0,
    return503OnClosing: false,
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, headersOfAnswers),
    frameworkErrors: (error, request, reply) => {
      open(request, reply);
      writeProblem(error, request, reply, log);
    },
  };
}

export function prepareHttp(fastify: FastifyInstance, { metrics, health, credential, hasMetrics }: HttpParts): void {
  const routes = new RouteTable();
  refuseExpectations(fastify.server, headersOfAnswers);
  fastify.decorateRequest('work', null);
  fastify.addHook('onRoute', (route) => {
    routes.add(route.method, route.url);
    const limit = route.config?.bodyLimitBytes;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    open(request, reply);
    if (hasNoHost(request.raw)) done(malformedRequest());
    else if (request.is404) done(unknownRoute(routes, request, reply));
    else done();
  });
  tellPeersApart(fastify, credential);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.work) request.work.deadline = deadlineOf(request, reply);
    done();
  });
  limitStrangers(fastify);
  fastify.addHook('preHandler', (request, _reply, done) => {
    // A read never writes.
    const go = request.method === 'GET' || request.method === 'HEAD' ? () => onlyReading(done) : done;
    if (request.work) runInContext(request.work, go);
    else go();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method, work } = request;
    const status = reply.statusCode;
    metrics.observeHttp({ method, route, status, seconds: reply.elapsedTime / 1000 }, work?.trace);
    if (work) closeHttpSpan(work.trace, { name: `${method} ${route}`, status });
    done();
  });
  takeOnlyJson(fastify);
  addHealthRoutes(fastify, health);
  if (!hasMetrics) return;
  fastify.get('/metrics', async (_request, reply) => {
    void reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}

/** The guard looks at tokens after the body was read, so that of a stranger is small. The gateway shows the credential. */
function limitStrangers(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (request.isPeer) done(null, payload);
    else if (announced > strangersBytes) done(tooLarge());
    else
      done(null, request.headers['transfer-encoding'] === undefined ? payload : payload.pipe(atMost(strangersBytes)));
  });
}

function atMost(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      left -= chunk.length;
      if (left < 0) done(tooLarge());
      else done(null, chunk);
    },
  });
}

const tooLarge = () => Object.assign(new Error('the body is too large'), { statusCode: 413 });
const malformedRequest = () => Object.assign(new Error('the request cannot be read'), { statusCode: 400 });

function open(request: FastifyRequest, reply: FastifyReply): void {
  const { traceparent, 'user-agent': userAgent } = request.headers;
  request.work = {
    trace: openSpan('http', { kind: 'server', ...(typeof traceparent === 'string' && { traceparent }) }),
    answer: reply,
    userAgent,
  };
  reply.headers(headersOfAnswers);
}

/** A write that was begun is finished even when whoever asked has left. */
function deadlineOf({ headers, method }: FastifyRequest, { raw }: FastifyReply): Deadline | undefined {
  const milliseconds = Number(headers[timeLeftHeader] ?? Number.NaN);
  if (!(milliseconds >= 0)) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const answer = () => {
    if (raw.writableEnded) return 'answered';
    return isRead && raw.destroyed ? 'gone' : 'awaited';
  };
  return { at: performance.now() + milliseconds, answer };
}

/** Before the body is read: an unknown path is 404 whatever is sent there. */
function unknownRoute(routes: RouteTable, request: FastifyRequest, reply: FastifyReply): Error {
  const allowed = routes.methodsOf(request.url.split('?', 1)[0] ?? '/');
  if (allowed.length === 0) return new Rejected('request/not-found', 'not-found', 'Not found');
  void reply.header('allow', allowed.join(', '));
  return Object.assign(new Error('method not allowed'), { statusCode: 405 });
}

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** `__proto__` and `constructor.prototype` are dropped like other unknown fields. */
function takeOnlyJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('remove', 'remove');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw: Buffer, done) => {
    if (request.routeOptions.config.takesBytes === true) return done(null, raw);
    if (raw.length === 0) return done(null, undefined);
    const text = raw.toString('utf8');
    const unfit = isUtf8(raw) ? unfitText(text) : undefined;
    if (unfit !== undefined) return done(new Invalid([{ path: '', message: unfit }]), undefined);
    if (!isUtf8(raw)) return done(Object.assign(new Error('not UTF-8'), { statusCode: 400 }), undefined);
    return parse(request, text, done);
  });
  fastify.addContentTypeParser(forms, { parseAs: 'buffer' }, (request, _raw, done) => {
    if (request.routeOptions.config.takesForms === true) done(null, undefined);
    else done(Object.assign(new Error('not JSON'), { statusCode: 415 }), undefined);
  });
}
