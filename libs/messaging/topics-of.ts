import { topics } from '@caravan/contracts/topics';
import type { Group } from './groups.ts';
import type { TopicSpec } from './kafka-port.ts';
import { dlqOf } from './parked.ts';

/** The topics that must exist before a group reads: those it reads and its dead-letter topic. */
export function topicsOf(group: Group): TopicSpec[] {
  return [...group.topics.map(({ service }) => topics[service]), { name: dlqOf(group.name), partitions: 1 }];
}
