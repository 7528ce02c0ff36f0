import type { Admin, Kafka as Client } from 'kafkajs';
import type { EndOffset, TopicSpec } from './kafka-port.ts';

// Topics as the one port to Kafka creates, measures and drops them.

const leaderTries = 200;
const leaderPauseMs = 50;
const retentionMs = 14 * 24 * 3_600_000;

async function withAdmin<Result>(client: Client, work: (admin: ReturnType<Client['admin']>) => Promise<Result>) {
  const admin = client.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

export function ensureTopics(client: Client, prefix: string, specs: readonly TopicSpec[]): Promise<void> {
  return withAdmin(client, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = new Map(specs.filter(({ name }) => !existing.has(prefix + name)).map((spec) => [spec.name, spec]));
    if (missing.size > 0) await createTopics(admin, prefix, [...missing.values()]);
    await untilLed(admin, [...new Set(specs.map(({ name }) => prefix + name))]);
  });
}

async function createTopics(admin: Admin, prefix: string, specs: readonly TopicSpec[]): Promise<void> {
  const replicas = (await admin.describeCluster()).brokers.length >= 3 ? 3 : 1;
  const settings = { 'retention.ms': String(retentionMs), 'min.insync.replicas': replicas === 3 ? '2' : '1' };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const topics = specs.map(({ name, partitions }) => ({
    ...{ topic: prefix + name, numPartitions: partitions },
    ...{ replicationFactor: replicas, configEntries },
  }));
  await admin.createTopics({ waitForLeaders: false, topics });
}

/**
 * Waits until every partition has a leader. The client's own wait gives up when the broker has not heard of a topic yet,
 * and knows nothing of topics that somebody else is creating.
 */
async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  for (let tries = 0; tries < leaderTries; tries += 1) {
    const known = await admin.fetchTopicMetadata({ topics }).catch(() => undefined);
    const partitions = known?.topics.flatMap((topic) => topic.partitions) ?? [];
    if (partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)) return;
    await new Promise((resolve) => setTimeout(resolve, leaderPauseMs));
  }
  throw new Error(`No leader for ${topics.join(', ')}`);
}

export function endOffsets(client: Client, prefix: string, topics: readonly string[]): Promise<EndOffset[]> {
  return withAdmin(client, async (admin) => {
    const found = await Promise.all(topics.map((topic) => offsetsOf(admin, prefix + topic)));
    return found.flatMap((partitions, index) =>
      partitions.map(({ partition, high }) => ({ topic: topics[index] ?? '', partition, end: Number(high) })),
    );
  });
}

/** Topics that are gone already are fine. */
export function deleteTopics(client: Client, prefix: string, topics: readonly string[]): Promise<void> {
  return withAdmin(client, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const there = topics.map((topic) => prefix + topic).filter((topic) => existing.has(topic));
    if (there.length > 0) await admin.deleteTopics({ topics: there });
  });
}

/** Of a topic that was created a moment ago the broker may not tell yet. */
const offsetsOf = (admin: Admin, topic: string) => untilTopicIsKnown(() => admin.fetchTopicOffsets(topic));

/** Does again what failed because brokers do not agree yet on a topic that was created a moment ago. */
export async function untilTopicIsKnown<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = leaderTries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      const isYoung =
        error instanceof Error && /not the leader|no leader|does not host|UNKNOWN_TOPIC/i.test(error.message);
      if (!isYoung || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, leaderPauseMs));
    }
  }
}
