import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { rebuiltInSets } from '@caravan/event-store/testing/rebuilt-in-sets';
import { expect, test } from 'vitest';
import { membershipProjection } from './membership.projection.ts';
import { memberships, teams } from './membership.store.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'services/identity/prisma/migrations'].map((path) => `${root}/${path}`);
const orgId = randomUUID();
const [thunder = '', blazers = ''] = [randomUUID(), randomUUID()].toSorted();

const of = (category: string, type: string, data: object) => ({ orgId, category, type, data });
const users = Array.from({ length: 60 }, () => randomUUID());
const joined = users.map((userId, nth) =>
  of('membership', 'MemberJoined', {
    userId,
    teamId: nth % 3 === 0 ? thunder : blazers,
    role: 'member',
    joinedOn: '2026-03-16',
    joinedAt: '2026-03-16T12:00:00.123Z',
  }),
);
const [moves = '', leaves = '', rests = ''] = users.slice(3);
const changes = [
  of('membership', 'MemberMoved', { userId: moves, fromTeamId: thunder, teamId: blazers, movedAt: '' }),
  of('membership', 'MemberErased', { userId: leaves, teamId: blazers, wasActive: true, erasedAt: '' }),
  of('membership', 'MemberDeactivated', { userId: rests, teamId: blazers, deactivatedAt: '' }),
];

test('[D2 I1] memberships rebuilt in sets are those rebuilt one by one', async () => {
  const formed = [thunder, blazers].map((teamId) =>
    of('team', 'TeamFormed', { teamId, formedAt: '2026-03-16T11:00:00.000Z' }),
  );
  const events = [...formed, ...joined.slice(0, 40), ...changes, ...joined.slice(40)];
  const { oneByOne, inSets } = await rebuiltInSets({
    folders,
    kinds: [teams, memberships],
    projection: membershipProjection,
    events,
  });
  expect(oneByOne.map(({ length }) => length)).toEqual([59, 2]);
  for (const tables of inSets) expect(tables).toEqual(oneByOne);
});
