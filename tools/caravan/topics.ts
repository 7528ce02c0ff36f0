import { topics } from '@caravan/contracts/topics';

/** Makes the product's topics that are missing. Kafka makes none by itself, so a misspelt name is an error. */
export async function createTopics(brokers: string[]): Promise<void> {
  const { createKafka } = await import('@caravan/messaging/kafka');
  const silent = (): void => undefined;
  const kafka = createKafka(
    { brokers, clientId: 'caravan' },
    { debug: silent, info: silent, warn: silent, error: silent },
  );
  try {
    await kafka.ensureTopics(Object.values(topics));
  } finally {
    await kafka.close();
  }
}
