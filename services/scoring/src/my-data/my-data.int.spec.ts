import { eventually } from '@caravan/event-store/testing/eventually';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

test('[D9 D32] the export holds every mile of the member who asks, and nobody else’s', async () => {
  const { members } = await scoring.foundOrganisation(['Maya', 'Omar']);
  const [maya, omar] = members;
  if (!maya || !omar) throw new Error('two members');
  await scoring.log(omar, { centimiles: 900, activityType: 'Not hers' });
  const logged = await scoring.log(maya, { centimiles: 110, activityType: 'Juggling' });
  const header = minPosition('activity', logged);
  const hers = await scoring.as(maya);
  await eventually(async () => {
    const { status, headers } = await hers.get(myDataPath, header);
    expect([status, headers.get('x-stale')]).toEqual([200, null]);
  });
  const { files } = myDataSchema.parse((await hers.get(myDataPath)).body);
  expect(files).toEqual({
    'miles-ledger': [
      expect.objectContaining({ kind: 'log', miles: 1.1, activityType: 'Juggling', earnedForTeam: 'Thunder' }),
    ],
    'miles-total': [{ miles: 1.1, reachedAt: expect.stringMatching(/Z$/), numberOfEntries: 1 }],
    'miles-by-week': [{ weekStartsOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), miles: 1.1 }],
    'ranks-by-week': [],
    'active-days': [{ date: expect.any(String), numberOfEntries: 1 }],
    streaks: [
      { startedOn: expect.any(String), endedOn: expect.any(String), days: 1, streakDaysBefore: 0, freezesAtStart: 1 },
    ],
    badges: [
      { badge: 'first-log', earnedAt: expect.stringMatching(/Z$/) },
      { badge: 'mile-1', earnedAt: expect.stringMatching(/Z$/) },
    ],
    'weekly-challenges': [],
    'bonus-challenges': [],
    reminders: [],
    'reached-challenges': [],
    'board-profile': [
      {
        name: 'Maya',
        photoUrl: null,
        timeZone: 'Europe/Berlin',
        team: 'Thunder',
        isActive: true,
        statsVisible: true,
        activityVisible: true,
        profileVisible: true,
      },
    ],
    'team-memberships': [{ team: 'Thunder', since: '2026-01-01T08:00:00.000Z', until: null }],
  });
  expect(JSON.stringify(files)).not.toMatch(new RegExp(`Omar|Not hers|${omar.userId}`));
  expect((await scoring.nobody.get(myDataPath)).status).toBe(401);
});
