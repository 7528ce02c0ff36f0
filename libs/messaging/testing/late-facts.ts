import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@caravan/contracts/events/topics';
import { Kafka } from 'kafkajs';

// `./caravan test --late identity`: what identity says reaches each consumer later than what the others say meanwhile.
// A suite that reads without waiting for what it reads fails then every time, and not once in a hundred runs.
const lateMilliseconds = 700;
const service = process.env.CARAVAN_TEST_LATE;
const lateTopic = Object.entries(topics).find(([name]) => name === service)?.[1].name;

if (lateTopic !== undefined) {
  const create = Object.getOwnPropertyDescriptor(Kafka.prototype, 'consumer')?.value as Kafka['consumer'];
  Kafka.prototype.consumer = function (this: Kafka, ...options) {
    const consumer = create.apply(this, options);
    const run = consumer.run.bind(consumer);
    consumer.run = ({ eachBatch, ...config } = {}) =>
      run({
        ...config,
        eachBatch: async (payload) => {
          if (payload.batch.topic.endsWith(lateTopic)) await sleep(lateMilliseconds);
          await eachBatch?.(payload);
        },
      });
    return consumer;
  };
}
