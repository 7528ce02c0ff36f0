import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';
import { currentContext } from './request-context.ts';
import { currentTraceparent, formatTraceparent, inSpan, openSpan, parseTraceparent, startTracing } from './tracing.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a traceparent is read and written as W3C Trace Context says', () => {
  expect(parseTraceparent(traceparent)).toEqual({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    isSampled: true,
  });
  expect(formatTraceparent({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: false })).toBe(
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
  );
});

test('flags that W3C Trace Context does not define are not passed on', () => {
  const unknownFlags = parseTraceparent(`${traceparent.slice(0, -2)}ff`);
  expect(unknownFlags && formatTraceparent(unknownFlags)).toBe(traceparent);
});

describe('a bad traceparent starts a new trace', () => {
  test.each([
    [undefined],
    [''],
    ['garbage'],
    [traceparent.toUpperCase()],
    [`${traceparent}-extra`],
    [traceparent.replace('00-', 'ff-')],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    [`00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
    [[traceparent]],
  ])('%j', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

test('a step keeps the trace it came with and gets an id of its own', () => {
  const step = openSpan('x', { traceparent });
  expect(step.traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(step.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(step.spanId).not.toBe('00f067aa0ba902b7');
  expect(openSpan('y').traceId).toMatch(/^[0-9a-f]{32}$/);
});

test('ids are new for every trace and every step of one', () => {
  const steps = Array.from({ length: 1_000 }, () => openSpan('x'));
  for (const { traceId, spanId } of steps) expect(`${traceId} ${spanId}`).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
  expect(new Set(steps.flatMap(({ traceId, spanId }) => [traceId, spanId])).size).toBe(2_000);
});

test('work inside a step continues its trace, outside there is none', async () => {
  expect(currentTraceparent()).toBeUndefined();
  await inSpan('job', { traceparent }, async () => {
    const outer = currentContext()?.trace;
    await inSpan('inner', {}, async () => {
      expect(currentTraceparent()).toContain('4bf92f3577b34da6a3ce929d0e0e4736');
      expect(currentContext()?.trace.spanId).not.toBe(outer?.spanId);
    });
  });
  expect(currentContext()).toBeUndefined();
});

test('with an exporter every step is recorded under its parent, and a failed one says so', async () => {
  const spans: ReadableSpan[] = [];
  const exporter = {
    export: (batch: ReadableSpan[], done: (result: { code: number }) => void) => {
      spans.push(...batch);
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
  const tracing = await startTracing('test', undefined, exporter);
  const failure = inSpan('outer', { kind: 'consumer', traceparent }, () =>
    inSpan('inner', {}, () => Promise.reject(new TypeError('no'))),
  );
  await expect(failure).rejects.toThrow('no');
  await tracing.close();
  const [inner, outer] = spans;
  expect(outer?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
  expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  expect(inner?.status).toMatchObject({ message: 'TypeError' });
});
