import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { expect, test } from 'vitest';
import { countInto } from './metrics.ts';

test('facts are counted by their type as they are told, so that operators see what people do', async () => {
  const metrics = new Metrics('social', { hasProcessMetrics: false });
  const { countRelayed: relayed } = countInto(metrics);
  relayed(['ReactionGiven', 'CommentWritten', 'ReactionGiven']);
  relayed([]);
  relayed(['ReactionGiven']);
  const told = await metrics.registry.getSingleMetric('caravan_outbox_relayed_total')?.get();
  expect(told?.values.map(({ labels, value }) => [labels['fact'], value])).toEqual([
    ['ReactionGiven', 3],
    ['CommentWritten', 1],
  ]);
});
