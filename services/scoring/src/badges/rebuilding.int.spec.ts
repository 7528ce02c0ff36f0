import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { rebuiltInSets } from '@caravan/event-store/testing/rebuilt-in-sets';
import { expect, test } from 'vitest';
import { badgesStream } from './badges-stream.ts';
import { badgesProjection } from './badges.projection.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'].map(
  (path) => `${root}/${path}`,
);

test('[D13 I1] badges rebuilt in sets are those rebuilt one by one: of one that was recorded twice the first', async () => {
  const orgId = randomUUID();
  const users = [randomUUID(), randomUUID()];
  const events = Array.from({ length: 60 }, (_, nth) => ({
    orgId,
    category: 'badges',
    type: 'BadgeEarned',
    data: { userId: users[nth % 2], badgeId: `badge-${nth % 7}`, earnedAt: new Date(nth * 1_001).toISOString() },
  }));
  const { oneByOne, inSets } = await rebuiltInSets({
    folders,
    kinds: [badgesStream],
    projection: badgesProjection,
    events,
  });
  expect(oneByOne[0]).toHaveLength(14);
  for (const tables of inSets) expect(tables).toEqual(oneByOne);
});

test('[D13 D21 I1] badges for their owner alone are rebuilt in sets as one by one: shown, withdrawn or neither', async () => {
  const orgId = randomUUID();
  const userId = randomUUID();
  const after = [
    '',
    'BadgeShown',
    'BadgeWithdrawn',
    'BadgeWithdrawn BadgeEarned',
    'BadgeWithdrawn BadgeEarned BadgeShown',
  ];
  const of = (type: string, nth: number) => {
    const at = new Date(nth * 1_001).toISOString();
    const own = { userId, badgeId: `badge-${nth}`, earnedAt: at, isOwnerOnly: true };
    const data = { BadgeShown: { ...own, isOwnerOnly: undefined }, BadgeWithdrawn: { ...own, withdrawnAt: at } };
    return { orgId, category: 'badges', type, data: type in data ? data[type as keyof typeof data] : own };
  };
  const histories = after.map((types, nth) =>
    ['BadgeEarned', ...types.split(' ')].filter((type) => type !== '').map((type) => of(type, nth)),
  );
  const events = [0, 1, 2, 3].flatMap((turn) => histories.flatMap((history) => history[turn] ?? []));
  const { oneByOne, inSets } = await rebuiltInSets({
    folders,
    kinds: [badgesStream],
    projection: badgesProjection,
    events,
  });
  expect(oneByOne[0]).toHaveLength(4);
  for (const tables of inSets) expect(tables).toEqual(oneByOne);
});
