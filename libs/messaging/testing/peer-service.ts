import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope, Positions } from '@caravan/contracts/events/envelope';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { OutgoingEvent } from '@caravan/event-store/core/public-events';
import { createKafka } from '../kafka/kafka.ts';
import { silent } from './settings.ts';

type Address = { readonly KAFKA_BROKERS: readonly string[]; readonly TOPIC_PREFIX: string };
export type Fact = OutgoingEvent & {
  readonly orgId: string;
  readonly key: string;
  readonly positions?: Positions;
  /** Of the log; 0 unless said otherwise. */
  readonly epoch?: number;
  readonly actorId?: string;
};

/** Stands in for another service: its facts lie on its topic as its relay would have put them. */
export type PeerService = {
  /** Publishes facts in order; each takes the next position. */
  publish(...facts: readonly Fact[]): Promise<Envelope[]>;
  /** Delivers what was published once more. */
  redeliver(...envelopes: readonly Envelope[]): Promise<void>;
  /** Puts anything on the topic, also what no service would publish. */
  publishRaw(key: string, value: string): Promise<void>;
  close(): Promise<void>;
};

/** A peer on the broker and topics that a service under test reads. */
export async function startPeerService(service: ServiceName, env: Address): Promise<PeerService> {
  const kafka = createKafka({ brokers: env.KAFKA_BROKERS, clientId: service, prefix: env.TOPIC_PREFIX }, silent);
  const topic = topics[service];
  await retry(() => kafka.ensureTopics([topic]));
  let position = 0;
  const send = (envelopes: readonly Envelope[]) =>
    kafka.send(
      topic.name,
      envelopes.map((envelope) => ({ key: envelope.key, value: JSON.stringify(envelope) })),
    );
  const envelopeOf = ({ type, version, data, orgId, key, positions = {}, epoch = 0, actorId }: Fact): Envelope => {
    position += 1;
    return {
      id: randomUUID(),
      type,
      version,
      orgId,
      key,
      position,
      data,
      positions: { ...positions, [service]: position },
      epochs: { [service]: epoch },
      occurredAt: new Date().toISOString(),
      actorId: actorId ?? null,
    };
  };
  return {
    publish: async (...facts) => {
      const envelopes = facts.map(envelopeOf);
      await send(envelopes);
      return envelopes;
    },
    redeliver: (...envelopes) => send(envelopes),
    publishRaw: (key, value) => kafka.send(topic.name, [{ key, value }]),
    close: () => kafka.close(),
  };
}

/** Several create the same topics at once, and the broker may not have told everybody yet who leads them. */
export async function retry<Result>(create: () => Promise<Result>): Promise<Result> {
  for (let left = 20; ; left--) {
    try {
      return await create();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}
