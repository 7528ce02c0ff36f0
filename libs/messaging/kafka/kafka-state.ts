import type { GroupDescription, PartitionExtent } from './kafka-port.ts';
import { untilTopicSettles } from './retry.ts';

/** The methods of a client that read the state of topics and groups; names carry the prefix of the instance. */
type StateAdmin = {
  fetchTopicOffsets(topic: string): Promise<{ partition: number; low: string; high: string }[]>;
  describeCluster(): Promise<unknown>;
  describeGroups(groups: string[]): Promise<{
    groups: { groupId: string; state: string; members: readonly unknown[] }[];
  }>;
};

export async function endOffsets(
  admin: StateAdmin,
  prefix: string,
  topics: readonly string[],
): Promise<PartitionExtent[]> {
  const found = await Promise.all(
    topics.map(async (topic) => {
      const partitions = await untilTopicSettles(() => admin.fetchTopicOffsets(prefix + topic));
      return partitions.map(({ partition, low, high }) => ({
        topic,
        partition,
        start: Number(low),
        end: Number(high),
      }));
    }),
  );
  return found.flat();
}

export async function describeGroups(
  admin: StateAdmin,
  prefix: string,
  groups: readonly string[],
): Promise<GroupDescription[]> {
  if (groups.length === 0) return [];
  // A coordinator is looked for among the brokers that the client knows.
  await admin.describeCluster();
  const described = await admin.describeGroups(groups.map((group) => prefix + group));
  return described.groups.map(({ groupId, state, members }) => ({
    group: groupId.slice(prefix.length),
    state,
    members: members.length,
  }));
}
