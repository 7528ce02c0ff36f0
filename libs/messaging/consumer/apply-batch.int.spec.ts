import { topics } from '@caravan/contracts/events/topics';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyBatch } from './apply-batch.ts';
import { groupsOf, type Handler } from './consumer.ts';
import { claimPartitions } from './consumer-offsets.ts';
import { counted } from '../testing/counting.ts';
import { envelope } from '../testing/envelope.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

let suite: Suite;
beforeAll(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
});
afterAll(() => suite.close());

/** Applies messages of one partition, named by key and position, with a handler that takes a round trip. */
async function trailOf(groupName: string, isIsolated: boolean, sent: readonly (readonly [string, number])[]) {
  const trail: string[] = [];
  const handler: Handler = {
    subscription: { group: groupName, from: 'activity', contract: counted },
    handle: async ({ key, position }, { tx }) => {
      trail.push(`${key}${position} begins`);
      await tx.query('select $1::int', [position]);
      trail.push(`${key}${position} ends`);
    },
  };
  const [group] = groupsOf([handler]);
  if (!group) throw new Error('no group');
  const partition = { topic: topics.activity.name, partition: 0 };
  const [claim] = await withSystem(suite.pool, (tx) => claimPartitions(tx, group.name, 'me', [partition]));
  if (!claim) throw new Error('nothing claimed');
  const messages = sent.map(([key, position], offset) => {
    return { key, offset, value: Buffer.from(envelope(key, position)), headers: {} };
  });
  const tools = { pool: suite.pool, group, frozenAfterMs: 5_000 };
  await applyBatch(tools, { partitionBatches: [{ claim, messages }], isIsolated, attempt: 1 });
  return trail;
}

const sent = [
  ['a', 1],
  ['b', 2],
  ['a', 3],
] as const;

test('messages of one key wait for each other, those of different keys go side by side', async () => {
  const trail = await trailOf('side-by-side', false, sent);
  expect(trail.slice(0, 2)).toEqual(['a1 begins', 'b2 begins']);
  expect(trail.indexOf('a3 begins')).toBeGreaterThan(trail.indexOf('a1 ends'));
});

test('an isolated try takes one message after the other, so that a savepoint holds one only', async () => {
  const trail = await trailOf('isolated', true, sent);
  expect(trail).toEqual(sent.flatMap(([key, position]) => [`${key}${position} begins`, `${key}${position} ends`]));
});
