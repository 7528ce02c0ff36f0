import { galleryBadgesSchema } from '@caravan/contracts/http/badges';
import type { Dashboard } from '../dashboard/dashboard.ts';
import { milesSchema } from '@caravan/contracts/http/scores';
import { eventually } from '@caravan/event-store/testing/eventually';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foundWithChallenges } from '../testing/challenges-under-test.ts';
import { minPosition, movementLogged, movementRemoved, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const activities = ['Running', 'Biking', 'Yoga', 'Hiking', 'Swimming', 'Walking'];

type Told = ReturnType<typeof importedFact>;
type Fact = {
  readonly type: string;
  readonly version: number;
  readonly orgId: string;
  readonly key: string;
  readonly data: object;
};

/** What a platform measured half an hour at a time, without consent: today and each of the five days before. */
function importedFact(member: TestMember, daysAgo: number, audience: 'organisation' | 'owner') {
  const startedAt = new Date(Date.now() - daysAgo * 86_400_000);
  const { data, ...about } = movementLogged(member, { startedAt, activityType: activities[daysAgo] ?? '' });
  return { ...about, data: { ...data, source: 'fitbit' as const, audience, centimiles: 0 } };
}

/** As activity tells a change of consent. */
function consentedFact({ data, ...about }: Told, centimiles: number, revision: number) {
  const { durationMinutes, loggedOn } = data;
  const previous = { durationMinutes, loggedOn, centimiles: centimiles === 0 ? 300 : 0 };
  const correctedAt = new Date().toISOString();
  return { ...about, type: 'MovementCorrected', data: { ...data, centimiles, revision, correctedAt, previous } };
}

/** Everything twice and then backwards; answers the header that waits for it. */
async function tell(facts: readonly Fact[]) {
  const said = await scoring.activity.publish(...facts.flatMap((fact) => [fact, fact]));
  await scoring.activity.redeliver(...said.toReversed());
  return minPosition('activity', said);
}

async function begin(audience: 'organisation' | 'owner' = 'organisation') {
  const { orgId, maya, members, api, named } = await foundWithChallenges(scoring, ['Maya', 'Omar']);
  const omar = members[1];
  if (!omar) throw new Error('two members');
  const workouts = activities.map((_, daysAgo) => importedFact(maya, daysAgo, audience));
  const distance = named('Walk 5 miles');
  const days = named('Log 5 days');
  /** Where a log counts, wherever that is. */
  const counts = async (header: Record<string, string>) => {
    const get = async (path: string) => (await api.get(path, header)).body;
    const { entries, totalMiles } = milesSchema.parse(await get('/api/miles'));
    const stats = (await get('/api/dashboard/stats')) as unknown as { weeklyMiles: number; userRank: number | null };
    const progress = async (id: string) =>
      ((await get(`/api/weekly-challenges/${id}/progress`)) as { currentProgress: number }).currentProgress;
    const gallery = galleryBadgesSchema.parse(await get('/api/badges/all'));
    const [table] = await scoring.rows<{ days: number; runs: number; weeks: number; teams: number }>(
      orgId,
      `select (select coalesce(sum(movements), 0)::int from ledger_entries where org_id = $1) as days,
         (select count(*)::int from streak_runs where org_id = $1) as runs,
         (select coalesce(sum(centimiles), 0)::int from member_weeks where org_id = $1) as weeks,
         (select coalesce(sum(centimiles), 0)::int from (select centimiles from team_totals where org_id = $1
           union all select centimiles from pending_team_credits_of($1)) t) as teams`,
    );
    return {
      totalMiles,
      explained: entries.map(({ explanation }) => explanation),
      rank: stats.userRank,
      ...table,
      reachedMiles: await progress(distance.id),
      reachedDays: await progress(days.id),
      hasThisWeek: stats.weeklyMiles > 0,
      badges: gallery.filter(({ isEarned, category }) => isEarned && category !== 'Journey').length,
    };
  };
  return { orgId, maya, omar, api, workouts, counts };
}

const nothing = {
  totalMiles: 0,
  rank: null,
  days: 0,
  runs: 0,
  weeks: 0,
  teams: 0,
  reachedMiles: 0,
  reachedDays: 0,
  hasThisWeek: false,
};

describe('imports that their owner has not consented to be scored', () => {
  test('[D21 D5 D11 D12 D13 D14] count nowhere, from the day of the consent on wherever logs count, and then nowhere again', async () => {
    const { orgId, workouts, counts } = await begin();
    expect(await counts(await tell(workouts))).toEqual({ ...nothing, explained: [], badges: 0 });
    const scored = await counts(await tell(workouts.map((one) => consentedFact(one, 300, 2))));
    expect(scored).toMatchObject({ totalMiles: 18, rank: 1, days: 6, runs: 1, weeks: 1_800, teams: 1_800 });
    expect(scored).toMatchObject({ hasThisWeek: true });
    expect(scored.reachedMiles).toBeGreaterThanOrEqual(3);
    expect(scored.reachedDays).toBeGreaterThanOrEqual(1);
    expect(scored.explained.toSorted()).toEqual(
      activities.map((name) => `30 minutes of ${name}: 30 ÷ 10 = 3 miles`).toSorted(),
    );
    // First log, one and ten miles, three days in a row, five activities.
    expect(scored.badges).toBe(5);
    const withdrawn = await counts(await tell(workouts.map((one) => consentedFact(one, 0, 3))));
    expect(withdrawn).toMatchObject({ ...nothing, badges: 5 });
    expect(withdrawn.explained.filter((text) => text === 'No longer scored: −3 miles')).toHaveLength(6);
    const header = await tell(workouts.map((one) => consentedFact(one, 300, 4)));
    expect(await counts(header)).toMatchObject({ totalMiles: 18, days: 6, runs: 1, weeks: 1_800, teams: 1_800 });
    const entries = await scoring.rows(orgId, 'select from ledger_entries where org_id = $1');
    expect(entries).toHaveLength(18);
  });

  test('[D12] leave the moment alone at which a total was reached', async () => {
    const { orgId, maya, workouts, counts } = await begin();
    await counts(minPosition('activity', await scoring.log(maya, {})));
    const reachedAt = 'select reached_at, version from member_totals where org_id = $1';
    const before = await scoring.rows(orgId, reachedAt);
    await counts(await tell(workouts));
    expect(await scoring.rows(orgId, reachedAt)).toEqual(before);
  });

  test('[D8 D21] are gone when they are removed, scored or not', async () => {
    const { orgId, workouts, counts } = await begin();
    const [first, second, ...others] = workouts;
    if (!first || !second) throw new Error('six workouts');
    await tell([...workouts, consentedFact(second, 300, 2)]);
    const removals = [
      movementRemoved(first),
      movementRemoved({ ...second, data: { ...second.data, centimiles: 300 } }),
    ];
    expect(await counts(await tell(removals))).toMatchObject(nothing);
    const shown = await scoring.rows(orgId, 'select from credited_movements where org_id = $1');
    expect(shown).toHaveLength(others.length);
  });

  test('[D18 D21] are seen among the recent ones by colleagues only where they are for the organisation', async () => {
    for (const [audience, shown] of [
      ['organisation', 3],
      ['owner', 0],
    ] as const) {
      const { omar, workouts, counts } = await begin(audience);
      await counts(await tell(workouts));
      const api = await scoring.as(omar);
      const recent = await eventually(async () => {
        const { body } = await api.get<{ recentActivities: Dashboard['recent'] }>('/api/dashboard/stats');
        return body.recentActivities;
      });
      expect(recent).toHaveLength(shown);
    }
  });

  test('[D21 D35] leave the page that is composed for all to others; who sees more on the own one asks for it', async () => {
    const { orgId, maya, omar, workouts, counts } = await begin('owner');
    const pages = await openPages(scoring.env, orgId, { readers: [maya.userId, omar.userId], topics: ['stats'] });
    await counts(await tell(workouts));
    await scoring.log(omar, { activityType: 'Stretching' });
    await expect.poll(() => pages.partGiven(maya.userId, 'stats')).toBe('ask');
    await expect.poll(() => JSON.stringify(pages.partGiven(omar.userId, 'stats'))).toContain('Stretching');
    for (const name of activities) expect(pages.allTexts()).not.toContain(name);
    await pages.close();
  });
});
