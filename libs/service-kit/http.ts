import { isUtf8 } from 'node:buffer';
import { onlyReading } from '@caravan/event-store/reading';
import { Rejected } from '@caravan/event-store/rejected';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { addHealthRoutes, type Health } from './health.controller.ts';
import { unfitText } from './json-body.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { Invalid } from './problem.ts';
import { writeProblem } from './problem.filter.ts';
import { type Deadline, type RequestContext, runInContext } from './request-context.ts';
import { RouteTable } from './route-table.ts';
import { type ServiceCredential, tellPeersApart, timeLeftHeader } from './service-credential.ts';
import { closeHttpSpan, openSpan } from './tracing.ts';

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

export function fastifyOptions(log: Log): FastifyServerOptions {
  return {
    logger: false,
    bodyLimit: 100 * kilobyte,
    requestTimeout: 30_000,
    // The gateway closes idle connections first, so that no request meets a closing one.
    keepAliveTimeout: 75_000,
    // One hop, the gateway; what others say of themselves is not believed.
    trustProxy: (_address, hop) => hop === 0,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      open(request, reply);
      writeProblem(error, request, reply, log);
    },
  };
}

const securityHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function prepareHttp(fastify: FastifyInstance, { metrics, health, credential, hasMetrics }: HttpParts): void {
  const routes = new RouteTable();
  fastify.decorateRequest('work', null);
  fastify.addHook('onRoute', (route) => {
    routes.add(route.method, route.url);
    const limit = route.config?.bodyLimitBytes;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    open(request, reply);
    if (request.is404) done(unknownRoute(routes, request, reply));
    else done();
  });
  tellPeersApart(fastify, credential);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.work) request.work.deadline = deadlineOf(request, reply);
    done();
  });
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

function open(request: FastifyRequest, reply: FastifyReply): void {
  const { traceparent, 'user-agent': userAgent } = request.headers;
  request.work = {
    trace: openSpan('http', { kind: 'server', ...(typeof traceparent === 'string' && { traceparent }) }),
    answer: reply,
    userAgent,
  };
  reply.headers(securityHeaders);
}

/** A write that was begun is finished even when whoever asked has left. */
function deadlineOf({ headers, method }: FastifyRequest, { raw }: FastifyReply): Deadline | undefined {
  const milliseconds = Number(headers[timeLeftHeader] ?? Number.NaN);
  if (!(milliseconds >= 0)) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const answer = () => (raw.writableEnded ? 'answered' : isRead && raw.destroyed ? 'gone' : 'awaited');
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
