import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { rebuiltInSets } from '@caravan/event-store/testing/rebuilt-in-sets';
import { expect, test } from 'vitest';
import { badgesProjection } from './public-events.ts';
import { badgesStream } from './public-events.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'].map(
  (path) => `${root}/${path}`,
);

test('[D13 I1] badges rebuilt in sets are those rebuilt one by one: of one that was recorded twice the first', async () => {
  const [orgId, ...users] = [randomUUID(), randomUUID(), randomUUID()];
  const events = Array.from({ length: 60 }, (_, nth) => ({
    ...{ orgId, category: 'badges', type: 'BadgeEarned' },
    data: { userId: users[nth % 2], badgeId: `badge-${nth % 7}`, earnedAt: new Date(nth * 1_001).toISOString() },
  }));
  const { oneByOne, inSets } = await rebuiltInSets({
    ...{ folders, kinds: [badgesStream], projection: badgesProjection, events },
  });
  expect(oneByOne[0]).toHaveLength(14);
  for (const tables of inSets) expect(tables).toEqual(oneByOne);
});
