import { trace as otelTrace, TraceFlags } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

const answer = { method: 'POST', route: '/api/log', status: 200, seconds: 0.03 };
const bucketLines = (text: string) => text.split('\n').filter((line) => line.includes('_bucket{le="0.05"'));

test('an answer counts with the trace it belongs to, where that is recorded; every answer counts', async () => {
  const metrics = new Metrics('activity', { hasProcessMetrics: false });
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true };
  metrics.observeHttp(answer);
  metrics.observeHttp(answer, trace);
  expect(bucketLines(await metrics.registry.metrics())).toEqual([expect.stringMatching(/ 2$/)]);
  const span = otelTrace.wrapSpanContext({ ...trace, traceFlags: TraceFlags.SAMPLED });
  metrics.observeHttp(answer, { ...trace, span });
  const [line] = bucketLines(await metrics.registry.metrics());
  expect(line).toMatch(new RegExp(`} 3 # {trace_id="${trace.traceId}"} 0\\.03 `));
});
