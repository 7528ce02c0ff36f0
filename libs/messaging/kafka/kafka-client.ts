import type { ServiceEnv } from '@caravan/service-kit/process/env';
import type { KafkaSettings } from './kafka-port.ts';

export type KafkaEnv = Pick<ServiceEnv, 'SERVICE_NAME' | 'KAFKA_BROKERS' | 'TOPIC_PREFIX' | 'TOPIC_PARTITIONS_MAX'>;

/** Injection token of the service's `Kafka`. */
export const KafkaClient = Symbol('KafkaClient');

/** How a service of these settings reaches Kafka. */
export const kafkaOf = (env: KafkaEnv): KafkaSettings => ({
  clientId: env.SERVICE_NAME,
  brokers: env.KAFKA_BROKERS,
  prefix: env.TOPIC_PREFIX,
  mostPartitions: env.TOPIC_PARTITIONS_MAX,
});
