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

test('[D43] a scrape is answered while one gauge hangs and another one fails; both are missing, the others are there', async () => {
  const metrics = new Metrics('activity', { hasProcessMetrics: false, collectWithinMs: 5 });
  metrics.gauge({
    name: 'caravan_hanging_groups',
    help: 'Sets one value, then hangs.',
    labels: ['group'],
    collect: (gauge) => {
      gauge.set({ group: 'one' }, 1);
      return new Promise<void>(() => undefined);
    },
  });
  metrics.gauge({ name: 'caravan_hanging', help: 'Hangs.', collect: () => new Promise<void>(() => undefined) });
  metrics.gauge({ name: 'caravan_failing', help: 'Fails.', collect: () => Promise.reject(new Error('refused')) });
  metrics.gauge({ name: 'caravan_well', help: 'Answers.', collect: (gauge) => gauge.set(7) });
  const values = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => /^caravan_(hanging|failing|well)/.test(line));
  expect(values).toEqual(['caravan_well{service="activity"} 7']);
});
