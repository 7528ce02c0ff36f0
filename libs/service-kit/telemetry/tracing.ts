import {
  context as otelContext,
  SpanKind,
  SpanStatusCode,
  trace as otelTrace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { randomFillSync } from 'node:crypto';
import { currentContext, runInContext, type TraceContext } from './request-context.ts';

export type SpanOptions = {
  readonly kind?: 'server' | 'producer' | 'consumer' | 'client' | 'internal';
  /** Absent: the current context, else a new trace. */
  readonly traceparent?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
};

export type HttpOutcome = {
  readonly name: string;
  readonly status: number;
  readonly isWhole?: boolean;
};

const kinds = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;
let tracer: Tracer | undefined;

/** Undefined when missing, malformed or all zeros (W3C Trace Context 3.2). */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  const parsed = typeof header === 'string' ? parseTraceParent(header) : null;
  if (!parsed) return undefined;
  const { traceId, spanId, traceFlags } = parsed;
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}

// OpenTelemetry's propagator passes flags on that no version defines yet, and writes those above 15 as three digits.
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

export function currentTraceparent(): string | undefined {
  const context = currentContext();
  return context && formatTraceparent(context.trace);
}

const randomness = Buffer.allocUnsafe(4_096);
let used = randomness.length;

/** Every request and message needs some; asked for one by one the kernel's costs twenty times as much. */
function randomHex(bytes: number): string {
  if (used + bytes > randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  return randomness.toString('hex', used, (used += bytes));
}

/** Without an exporter it costs two random numbers and records nothing. */
export function openSpan(name: string, { kind = 'internal', traceparent, attributes }: SpanOptions = {}): TraceContext {
  const parent = parseTraceparent(traceparent) ?? currentContext()?.trace;
  if (!tracer) {
    return { traceId: parent?.traceId ?? randomHex(16), spanId: randomHex(8), isSampled: parent?.isSampled ?? false };
  }
  const within = parent
    ? otelTrace.setSpanContext(otelContext.active(), {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: true,
      })
    : otelContext.active();
  const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, within);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0, span };
}

export function closeSpan({ span }: TraceContext, error?: unknown): void {
  if (!span) return;
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
  span.end();
}

export function closeHttpSpan(trace: TraceContext, { name, status, isWhole = true }: HttpOutcome): void {
  if (!trace.span) return;
  trace.span.updateName(name).setAttribute('http.response.status_code', status);
  closeSpan(trace, isWhole && status < 500 ? undefined : new Error('failed'));
}

export async function inSpan<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  const trace = openSpan(name, options);
  try {
    const result = await runInContext({ trace }, work);
    closeSpan(trace);
    return result;
  } catch (error) {
    closeSpan(trace, error);
    throw error;
  }
}

/** Returns what flushes and stops it. Without an endpoint nothing is loaded. */
export async function startTracing(
  service: string,
  endpoint: string | undefined,
  exporter?: SpanExporter,
): Promise<{ close(): Promise<void> }> {
  if (endpoint === undefined && !exporter) return { close: () => Promise.resolve() };
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BatchSpanProcessor, TracerProvider }] = await Promise.all(
    [
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ],
  );
  const target = exporter ?? new OTLPTraceExporter({ url: new URL('v1/traces', `${endpoint}/`).href });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `caravan-${service}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter: target })],
  });
  tracer = provider.getTracer(`caravan.${service}`);
  return {
    close: async () => {
      tracer = undefined;
      await provider.shutdown();
    },
  };
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
