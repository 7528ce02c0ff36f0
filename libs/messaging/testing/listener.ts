import { type Envelope, envelopeSchema } from '@caravan/contracts/events/envelope';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { IncomingBatch, IncomingMessage, Kafka } from '../kafka/kafka-port.ts';
import { createKafka } from '../kafka/kafka.ts';
import { retry } from './peer-service.ts';
import { silent } from './settings.ts';

type Address = { readonly KAFKA_BROKERS: readonly string[]; readonly TOPIC_PREFIX: string };

/** Hears everything a service publishes, from the beginning, in the order of each key. */
export type Listener = { readonly heard: readonly Envelope[]; close(): Promise<void> };

/** Listens to a service's topic as one more consumer group; what is no envelope fails the test that reads it. */
export async function listenTo(service: ServiceName, env: Address): Promise<Listener> {
  const kafka = createKafka({ brokers: env.KAFKA_BROKERS, clientId: 'listener', prefix: env.TOPIC_PREFIX }, silent);
  const topic = topics[service];
  const heard: Envelope[] = [];
  await retry(() => kafka.ensureTopics([topic]));
  const following = await follow(kafka, topic.name, ({ value }) => {
    heard.push(envelopeSchema.parse(JSON.parse(String(value))));
  });
  return {
    heard,
    close: async () => {
      await following.stop();
      await kafka.close();
    },
  };
}

/**
 * Reads a topic from its beginning, each message once. A client gives up when the broker is busy for long; like the
 * product's consumers this one is then replaced, which reads from the beginning again.
 */
export async function follow(
  kafka: Kafka,
  topic: string,
  onMessage: (message: IncomingMessage) => void,
): Promise<{ stop(): Promise<void> }> {
  const read = new Map<number, number>();
  const onBatch = (batch: IncomingBatch): Promise<void> => {
    for (const message of batch.messages) {
      if (message.offset < (read.get(batch.partition) ?? 0)) continue;
      onMessage(message);
      read.set(batch.partition, message.offset + 1);
      batch.resolve(message.offset);
    }
    return Promise.resolve();
  };
  let isOver = false;
  const start = () =>
    retry(() => kafka.consume(`listener-${topic}`, [topic], { onAssigned: () => undefined, onBatch }));
  let running = await start();
  const supervise = async () => {
    for (;;) {
      await running.ended.catch((error: unknown) => process.stderr.write(`A listener starts anew: ${String(error)}\n`));
      if (isOver) return;
      running = await start();
    }
  };
  const supervised = supervise();
  return {
    stop: async () => {
      isOver = true;
      await running.stop();
      await supervised;
    },
  };
}
