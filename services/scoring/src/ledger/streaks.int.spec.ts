import { eventually } from '@caravan/event-store/testing/eventually';
import { galleryBadgesSchema } from '@caravan/contracts/http/badges';
import { weeklyChallengesSchema } from '@caravan/contracts/http/challenges';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { milesCredited } from '@caravan/contracts/events/scoring.events';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rebuildable } from '../app.module.ts';
import { minPosition, movementLogged, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { streaksProjection } from './ledger.projection.ts';

let scoring: ScoringUnderTest;
let listener: Listener;
beforeAll(async () => {
  scoring = await startScoring();
  listener = await listenTo('scoring', scoring.env);
});
afterAll(async () => {
  await listener.close();
  await scoring.close();
});

const switchedFact = (areOn: boolean) => ({
  type: 'StreakFreezesSwitched',
  data: { areOn, switchedAt: '2026-11-21T08:00:00.000Z' },
});

async function one(timeZone = 'Europe/Berlin') {
  const { members, ...organisation } = await scoring.foundOrganisation(['Maya', 'Omar'], timeZone);
  const [maya, omar] = members;
  if (!maya || !omar) throw new Error('two members');
  return { ...organisation, maya, omar };
}

/** Logs of those dates, everything delivered again; answers the header that waits for them. */
async function logOn(member: TestMember, ...dates: readonly string[]) {
  const facts = dates.map((loggedOn) => {
    const fact = movementLogged(member, { startedAt: new Date(`${loggedOn}T12:00:00Z`), centimiles: 10 });
    return { ...fact, data: { ...fact.data, loggedOn } };
  });
  const said = await scoring.activity.publish(...facts);
  await scoring.activity.redeliver(...said, ...said.toReversed());
  return minPosition('activity', said);
}

/** What the member is told once it is up to date, however slow the machine. */
async function readBy(member: TestMember, path: string, header: Record<string, string>): Promise<unknown> {
  const api = await scoring.as(member);
  return eventually(async () => {
    const { status, headers, body } = await api.get(path, header);
    expect([status, headers.get('x-stale')]).toEqual([200, null]);
    return body;
  });
}

/** The streak badges of a member, and how far the next one is. */
async function streakOf(member: TestMember, header: Record<string, string>) {
  const body = await readBy(member, '/api/badges/all', header);
  const badges = galleryBadgesSchema.parse(body).filter(({ category }) => category === 'Streaks');
  return {
    earned: badges.filter(({ isEarned }) => isEarned).map(({ badgeId }) => badgeId),
    towards: badges.find(({ isEarned }) => !isEarned)?.progress.progressText,
  };
}

const rowsOf = ({ orgId }: TestMember) =>
  Promise.all(
    ['streak_runs', 'streak_starts'].map((table) =>
      scoring.rows(orgId, `select to_jsonb(r) as row from ${table} r where org_id = $1 order by to_jsonb(r)::text`),
    ),
  );

const agoIn = (timeZone: string) => {
  const today = localDateOf(new Date(), timeZone);
  return (...days: readonly number[]) => days.map((ago) => addDays(today, -ago));
};

describe('freezes', () => {
  test('[D11 D13 I9] switched off let missed days end a streak at once, and hold it once they are on again', async () => {
    const { maya, orgId } = await one();
    const ago = agoIn('Europe/Berlin');
    await streakOf(maya, await scoring.tell(orgId, switchedFact(false)));
    const logged = await logOn(maya, ...ago(4, 3, 1, 0));
    expect(await streakOf(maya, logged)).toEqual({ earned: [], towards: '2 of 3 days' });
    const rows = await rowsOf(maya);

    const on = await scoring.tell(orgId, switchedFact(true));
    expect(await streakOf(maya, on)).toEqual({ earned: ['streak-3'], towards: '4 of 7 days' });
    // Shown at once, awarded by the job a moment later.
    const awarded = `select from member_badges where org_id = $1 and badge_id = 'streak-3'`;
    await eventually(async () => expect(await scoring.rows(orgId, awarded)).toHaveLength(1));
    const off = await scoring.tell(orgId, switchedFact(true), switchedFact(false));
    expect(await streakOf(maya, off)).toEqual({ earned: ['streak-3'], towards: '2 of 7 days' });
    const again = await scoring.tell(orgId, switchedFact(true));
    expect(await streakOf(maya, again)).toEqual({ earned: ['streak-3'], towards: '4 of 7 days' });
    // No member's row has been touched.
    expect(await rowsOf(maya)).toEqual(rows);
  });

  test('[D11 D13] a log earns the badge of a bridged streak only where they are on', async () => {
    const here = await one();
    const there = await one();
    const ago = agoIn('Europe/Berlin');
    await streakOf(there.maya, await scoring.tell(there.orgId, switchedFact(false)));
    for (const { maya } of [here, there]) await logOn(maya, ...ago(3, 2));
    expect(await streakOf(here.maya, await logOn(here.maya, ...ago(0)))).toMatchObject({ earned: ['streak-3'] });
    expect(await streakOf(there.maya, await logOn(there.maya, ...ago(0)))).toMatchObject({ earned: [] });
  });

  test('[D11 D35] switched are told to the open pages of the organisation', async () => {
    const { orgId } = await one();
    const pages = await listenLive(scoring.env, orgId);
    await scoring.tell(orgId, switchedFact(false));
    await eventually(async () => expect(pages.kinds).toContain('badges'));
    await pages.close();
  });

  test('[D11] switched leave the rows that a rebuild makes', async () => {
    const { maya, orgId } = await one();
    const header = await logOn(maya, ...agoIn('Europe/Berlin')(9, 8, 6, 5, 1, 0));
    const told = await streakOf(maya, header);
    const rows = await rowsOf(maya);
    await scoring.tell(orgId, switchedFact(false));
    await rebuild({ ...rebuildable, databaseUrl: scoring.ownerUrl, projection: streaksProjection });
    expect(await rowsOf(maya)).toEqual(rows);
    expect(await streakOf(maya, await scoring.tell(orgId, switchedFact(true)))).toEqual(told);
  });
});

test('[D10 D11] a streak is told on the member’s own date, not the organisation’s', async () => {
  // Always a date ahead of Pago Pago.
  const { maya, omar, orgId } = await one('Pacific/Kiritimati');
  const moved = {
    type: 'ProfileEdited',
    data: { userId: maya.userId, name: 'Maya', timeZone: 'Pacific/Pago_Pago', profilePhotoUrl: null },
  };
  await streakOf(maya, await scoring.tell(orgId, switchedFact(false), moved));
  const yesterdayThere = agoIn('Pacific/Pago_Pago')(1);
  expect(await streakOf(maya, await logOn(maya, ...yesterdayThere))).toMatchObject({ towards: '1 of 3 days' });
  expect(await streakOf(omar, await logOn(omar, ...yesterdayThere))).toMatchObject({ towards: '0 of 3 days' });
});

test('[D11 D14] miles of a weekly bonus make no day active', async () => {
  const { maya, said } = await one();
  const yesterday = addDays(localDateOf(new Date(), 'Europe/Berlin'), -1);
  const fact = movementLogged(maya, { centimiles: 1_000 });
  // Moved just now, where yesterday has not ended yet.
  const logged = await scoring.activity.publish({ ...fact, data: { ...fact.data, loggedOn: yesterday } });
  const week = weeklyChallengesSchema.parse(
    await readBy(maya, '/api/weekly-challenges', minPosition('identity', said)),
  );
  const { id } = week.find(({ name }) => name === 'Walk 5 miles') ?? {};
  await readBy(maya, `/api/weekly-challenges/${id}/progress`, minPosition('activity', logged));
  const claim = await (await scoring.as(maya)).post(`/api/weekly-challenges/${id}/complete`, {});
  expect(claim.body).toMatchObject({ completed: true });

  const bonus = () =>
    listener.heard
      .filter(({ type, key }) => type === 'MilesCredited' && key === maya.userId)
      .map(({ data }) => milesCredited.data.parse(data))
      .find(({ kind }) => kind === 'weekly-bonus');
  await eventually(async () =>
    expect(bonus()).toMatchObject({
      latestRun: { startedOn: yesterday, endedOn: yesterday },
      streak: { days: 1 },
    }),
  );
  expect(await scoring.rows(maya.orgId, 'select started_on, ended_on from streak_runs where org_id = $1')).toEqual([
    { startedOn: yesterday, endedOn: yesterday },
  ]);
});
