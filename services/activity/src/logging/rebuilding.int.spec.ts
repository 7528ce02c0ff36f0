import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { rebuiltInSets } from '@caravan/event-store/testing/rebuilt-in-sets';
import type { LoggedEvent } from '@caravan/event-store/testing/rebuilt-in-sets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movementStream } from './movement.service.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'services/activity/prisma/migrations'].map((path) => `${root}/${path}`);
const orgId = randomUUID();
const teamId = randomUUID();
const challengeId = randomUUID();
const users = [randomUUID(), randomUUID(), randomUUID()];

const log = fc
  .record({ userId: fc.constantFrom(...users), minutes: fc.integer({ min: 10, max: 90 }), hasBonus: fc.boolean() })
  .map(({ userId, minutes, hasBonus }) => ({
    logId: randomUUID(),
    userId,
    teamId,
    activity: 'Walking',
    durationMinutes: minutes,
    centimiles: minutes * 10,
    multiplier: 1.5,
    source: 'timer',
    startedAt: '2026-03-16T12:00:00.000Z',
    loggedAt: '2026-03-16T13:00:00.123Z',
    loggedOn: '2026-03-16',
    timeZone: 'Europe/Berlin',
    coveredCentimiles: minutes > 60 ? 250 : null,
    ...(hasBonus && { bonus: { challengeId, multiplier: 1.5, targetDurationMinutes: 10 } }),
  }));
const story = fc.record({ log, becomes: fc.constantFrom('kept', 'kept', 'kept', 'corrected', 'removed') });

const events = fc.sample(story, { numRuns: 150, seed: 3 }).flatMap(({ log: data, becomes }): LoggedEvent[] => {
  const { bonus: _, ...plain } = data;
  const event = (type: string, of: object) => ({ orgId, category: 'movement', type, data: of });
  return [
    event('MovementLogged', data),
    ...(becomes === 'corrected' ? [event('MovementCorrected', { ...plain, centimiles: 5, revision: 2 })] : []),
    ...(becomes === 'removed' ? [event('MovementRemoved', data)] : []),
  ];
});

test('[D8 I1] logs rebuilt in sets are those rebuilt one by one', async () => {
  for (const projection of movementStream.projections) {
    const { oneByOne, inSets } = await rebuiltInSets({ folders, kinds: [movementStream], projection, events });
    expect(oneByOne.every(({ length }) => length > 0)).toBe(true);
    for (const tables of inSets) expect(tables).toEqual(oneByOne);
  }
});
