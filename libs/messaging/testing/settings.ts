import type { Kafka, MessagingLog } from '../kafka/kafka-port.ts';
import { createKafka } from '../kafka/kafka.ts';

/** Where a suite's consumers and relays, in this process or in others, find their servers. */
export type SuiteAddress = { readonly databaseUrl: string; readonly kafka: string; readonly prefix: string };

const silently = () => undefined;
export const silent: MessagingLog = { debug: silently, info: silently, warn: silently, error: silently };

/** A client with sessions short enough that the loss of a consumer is noticed soon, where the broker allows. */
export function hastyKafka({ kafka, prefix }: SuiteAddress, sessionTimeoutMs = 2_000): Kafka {
  const timing = { sessionTimeoutMs, heartbeatMs: sessionTimeoutMs / 5, maxWaitMs: 100 };
  return createKafka({ brokers: [kafka], clientId: 'test', prefix, ...timing }, silent);
}
