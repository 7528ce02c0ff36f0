import { type Envelope, envelopeSchema } from '@caravan/contracts/envelope';
import { type ServiceName, topics } from '@caravan/contracts/topics';
import { createKafka } from '../kafka.ts';
import { agreedOn } from './neighbour.ts';
import { silent } from './settings.ts';

type Address = { readonly KAFKA_BROKERS: readonly string[]; readonly TOPIC_PREFIX: string };

/** Hears everything a service publishes, from the beginning, in the order of each key. */
export type Listener = { readonly heard: readonly Envelope[]; close(): Promise<void> };

/** Listens to a service's topic as one more consumer group; what is no envelope fails the test that reads it. */
export async function listenTo(service: ServiceName, env: Address): Promise<Listener> {
  const kafka = createKafka({ brokers: env.KAFKA_BROKERS, clientId: 'listener', prefix: env.TOPIC_PREFIX }, silent);
  const topic = topics[service];
  const heard: Envelope[] = [];
  await agreedOn(() => kafka.ensureTopics([topic]));
  const consumer = await kafka.consume(`listener-${service}`, [topic.name], {
    onAssigned: () => undefined,
    onBatch: async (batch) => {
      for (const { value, offset } of batch.messages) {
        heard.push(envelopeSchema.parse(JSON.parse(String(value))));
        batch.resolve(offset);
      }
    },
  });
  return {
    heard,
    close: async () => {
      await consumer.stop();
      await kafka.close();
    },
  };
}
