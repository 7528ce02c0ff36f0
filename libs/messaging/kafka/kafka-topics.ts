import type { TopicSpec } from './kafka-port.ts';
import { TopicUnsettled, untilTopicSettles } from './retry.ts';

/** What of a client serves topics; theirs have the prefix of the instance. */
export type TopicAdmin = {
  listTopics(): Promise<string[]>;
  describeCluster(): Promise<{ brokers: readonly unknown[] }>;
  createTopics(wanted: { waitForLeaders: boolean; topics: NewTopic[] }): Promise<boolean>;
  deleteTopics(gone: { topics: string[] }): Promise<void>;
  fetchTopicMetadata(asked: { topics: string[] }): Promise<{ topics: { partitions: { leader: number }[] }[] }>;
};
type NewTopic = {
  topic: string;
  numPartitions: number;
  replicationFactor: number;
  configEntries: { name: string; value: string }[];
};

const retentionMs = 14 * 24 * 3_600_000;

export async function ensureTopics(admin: TopicAdmin, prefix: string, specs: readonly TopicSpec[]): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = new Map(specs.filter(({ name }) => !existing.has(prefix + name)).map((spec) => [spec.name, spec]));
  if (missing.size > 0) await createTopics(admin, prefix, [...missing.values()]);
  await untilLed(admin, [...new Set(specs.map(({ name }) => prefix + name))]);
}

async function createTopics(admin: TopicAdmin, prefix: string, specs: readonly TopicSpec[]): Promise<void> {
  const replicas = (await admin.describeCluster()).brokers.length >= 3 ? 3 : 1;
  const settings = { 'retention.ms': String(retentionMs), 'min.insync.replicas': replicas === 3 ? '2' : '1' };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const topics = specs.map(({ name, partitions }) => ({
    topic: prefix + name,
    numPartitions: partitions,
    replicationFactor: replicas,
    configEntries,
  }));
  await admin.createTopics({ waitForLeaders: false, topics });
}

/** The client's own wait gives up on topics that the broker has not heard of, and ignores those others create. */
const untilLed = (admin: TopicAdmin, topics: string[]): Promise<void> =>
  untilTopicSettles(async () => {
    const known = await admin.fetchTopicMetadata({ topics }).catch(() => undefined);
    const partitions = known?.topics.flatMap((topic) => topic.partitions) ?? [];
    if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0))
      throw new TopicUnsettled(`There is no leader for ${topics.join(', ')}`);
  });

/** Waits until they are gone: before, a topic can neither be made anew nor written. */
export async function deleteTopics(admin: TopicAdmin, prefix: string, topics: readonly string[]): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const there = topics.map((topic) => prefix + topic).filter((topic) => existing.has(topic));
  if (there.length === 0) return;
  await admin.deleteTopics({ topics: there });
  await untilTopicSettles(async () => {
    const left = new Set(await admin.listTopics());
    if (there.some((topic) => left.has(topic))) throw new TopicUnsettled(`Kafka does not delete ${there.join(', ')}`);
  });
}
