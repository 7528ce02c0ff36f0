import { eventually } from '@caravan/event-store/testing/eventually';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { expect } from 'vitest';
import type { ConsumerSettings } from '../consumer/batch-worker.ts';
import { GroupConsumer } from '../consumer/group-consumer.ts';
import { topicsOf } from '../consumer/kafka-batch-server.ts';
import { type Group, groupsOf, type Handler } from '../consumer/consumer.ts';
import type { Positions } from '../freshness/positions.ts';
import { Relay, type RelaySettings } from '../relay/relay.ts';
import { stateOf } from '../operator/state-metrics.ts';
import { hastyKafka, silent } from './settings.ts';
import type { Suite, SuitePoolOptions } from './suite.ts';

/** Relay and consumers of a suite in this process. */
export type Pipeline = {
  readonly relay: Relay;
  readonly groups: readonly Group[];
  /** Until nothing waits in the outbox and every message on the topics is applied, dropped or parked. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

type PipelineOptions = {
  readonly settings?: ConsumerSettings;
  readonly positions?: Pick<Positions, 'recordApplied'>;
  readonly sessionTimeoutMs?: number;
  readonly relay?: RelaySettings;
  readonly pools?: SuitePoolOptions;
};

/** Starts a relay and one consumer per group of these handlers. */
export function startPipeline(suite: Suite, handlers: readonly Handler[], options: PipelineOptions = {}): Pipeline {
  const groups = groupsOf(handlers);
  const kafka = hastyKafka(suite.address, options.sessionTimeoutMs ?? 6_000);
  const pool = suite.newPool(4, options.pools);
  const settings = { maxBackoffMs: 500, ...options.settings };
  const shared = { kafka, pool, log: silent, settings, positions: options.positions };
  const consumers = groups.map((group) => new GroupConsumer({ ...shared, group, topics: topicsOf(group) }));
  const relay = new Relay({
    service: 'activity',
    kafka,
    pool: suite.newPool(1, options.pools),
    log: silent,
    background: ownBackground(),
    settings: options.relay ?? {},
  });
  suite.onCommitted = () => relay.notify();
  for (const part of [relay, ...consumers]) part.start();
  const state = stateOf(pool, kafka, () => groups);
  return {
    relay,
    groups,
    idle: () =>
      eventually(async () => {
        expect((await state.backlog()).rows).toBe(0);
        expect((await state.lag()).filter(({ messages }) => messages > 0)).toEqual([]);
      }),
    stop: async () => {
      await Promise.all([relay.stop(), ...consumers.map((consumer) => consumer.stop())]);
      await kafka.close();
    },
  };
}
