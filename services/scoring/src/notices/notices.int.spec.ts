import { withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { addDays, instantOf, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { ownSweeps } from '@caravan/service-kit/testing/background';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OrganisationWeek } from '../directory/index.ts';
import { isClaimed, foundWithChallenges } from '../testing/challenges-under-test.ts';
import {
  memberErased,
  minPosition,
  movementCorrected,
  movementLogged,
  privacyChosen,
  startScoring,
} from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { WeeksService } from '../weekly-challenges/weeks.service.ts';
import { lostRanks } from './lost-ranks.query.ts';
import { CreditNotices } from './credit-notices.service.ts';
import { Reminders } from './reminders.service.ts';

let scoring: ScoringUnderTest;
let listener: Listener;
/** Another process that looks at the same rows. */
let otherProcess: CreditNotices;
beforeAll(async () => {
  scoring = await startScoring();
  listener = await listenTo('scoring', scoring.env);
  otherProcess = new CreditNotices(scoring.pool, scoring.app.get(OrganisationWeek), ownSweeps());
  otherProcess.onApplicationBootstrap();
});
afterAll(async () => {
  await otherProcess.onModuleDestroy();
  await listener.close();
  await scoring.close();
});

const newProcess = () => new Reminders(scoring.pool, scoring.app.get(Sweeps));
const reminderTypes = ['StreakAtRisk', 'WeeklyGoalNear', 'ChallengeEndingToday'];
const reachTypes = ['WeeklyChallengeReached', 'WeeklyChallengeUnreached'];

const noticesOfOpenedWeeks = `pending_credit_notices p where org_id = $1 and exists (
  select from challenge_weeks w where (w.org_id, w.week_starts_on) = (p.org_id, p.week_starts_on))`;

/** Facts of an organisation, by type and whom they are for, once nothing is on its way any more. */
async function publishedFacts(orgId: string, ...types: string[]): Promise<object[]> {
  await eventually(async () => {
    for (const waiting of [
      'pending_team_credit_sets where org_id = $1',
      noticesOfOpenedWeeks,
      'es.outbox where org_id = $1',
    ])
      expect(await scoring.rows(orgId, `select from ${waiting}`)).toEqual([]);
    const [last] = await scoring.rows<{ pos: number }>(
      orgId,
      'select coalesce(max(pos), 0) as pos from es.events where org_id = $1',
    );
    expect(Math.max(0, ...ofOrganisation(orgId).map(({ position }) => position))).toBeGreaterThanOrEqual(
      last?.pos ?? 0,
    );
  });
  return ofOrganisation(orgId)
    .filter(({ type }) => types.includes(type))
    .map(({ type, key, data }) => ({ type, key, data }));
}
const ofOrganisation = (orgId: string) => listener.heard.filter((fact) => fact.orgId === orgId);

/** Logs of local dates, each told twice. */
async function logOn(member: TestMember, centimiles: number, ...dates: readonly string[]): Promise<void> {
  const facts = dates.map((loggedOn) => {
    const fact = movementLogged(member, { startedAt: new Date(`${loggedOn}T11:00:00Z`), centimiles });
    return { ...fact, data: { ...fact.data, loggedOn } };
  });
  const said = await scoring.activity.publish(...facts);
  await scoring.activity.redeliver(...said);
  const api = await scoring.as(member);
  await eventually(async () => {
    const { headers } = await api.get('/api/miles', minPosition('activity', said));
    expect(headers.get('x-stale')).toBeNull();
  });
}

const livesIn = ({ userId, name }: TestMember, timeZone: string) => ({
  type: 'ProfileEdited',
  data: { userId, name, timeZone, profilePhotoUrl: null },
});

// Weeks ahead: no clock of the running service interferes.
const monday = addDays(weekStartOf(localDateOf(new Date(), 'Europe/Berlin')), 28);
const day = (nth: number) => addDays(monday, nth);
const berlinAt = (date: string, hour: number) =>
  instantOf(`${date}T${String(hour).padStart(2, '0')}:00`, 'Europe/Berlin') ?? new Date(0);

async function cast(...names: string[]) {
  const { orgId, members, said } = await scoring.foundOrganisation(names, 'Europe/Berlin');
  const api = await scoring.as(members[0] as TestMember);
  await eventually(async () => {
    const { headers } = await api.get('/api/miles', minPosition('identity', said));
    expect(headers.get('x-stale')).toBeNull();
  });
  return { orgId, members: members as [TestMember, TestMember, ...TestMember[]] };
}

describe('a reminder', () => {
  test('[D11] of a streak comes once in the evening, to whom it would be lost for, however many look and begin anew', async () => {
    const { orgId, members } = await cast('Maya', 'Omar', 'Lena', 'Kim');
    const [maya, omar, lena, kim] = members as unknown as [TestMember, TestMember, TestMember, TestMember];
    const saturday = day(5);
    // The only freeze held Thursday: tonight it would be over.
    await logOn(maya, 10, day(2), day(4));
    await logOn(omar, 10, day(2), day(4), saturday);
    await logOn(lena, 10, day(3), day(4));
    await logOn(kim, 10, day(2), day(4));
    await scoring.tell(orgId, livesIn(kim, 'Pacific/Kiritimati'));
    await eventually(async () => {
      const zone = 'select from members where org_id = $1 and time_zone = $2';
      expect(await scoring.rows(orgId, zone, 'Pacific/Kiritimati')).toHaveLength(1);
    });
    const fact = ({ userId }: TestMember) => ({
      type: 'StreakAtRisk',
      key: userId,
      data: { userId, on: saturday, days: 2 },
    });
    const one = newProcess();
    const other = newProcess();
    await one.tellDue(berlinAt(saturday, 17));
    expect(await publishedFacts(orgId, ...reminderTypes)).toEqual([]);
    await Promise.all([one, other].map((each) => each.tellDue(berlinAt(saturday, 18))));
    await newProcess().tellDue(berlinAt(saturday, 19));
    expect(await publishedFacts(orgId, ...reminderTypes)).toEqual([fact(maya)]);
    // Its evening was twelve hours ago: it is too late for Kim.
    await newProcess().tellDue(berlinAt(day(6), 8));
    expect(await publishedFacts(orgId, ...reminderTypes)).toEqual([fact(maya)]);
    const { userId } = maya;
    const row = { userId, kind: 'streak-at-risk', on: saturday };
    const rows = 'select user_id, kind, sent_on as "on" from sent_reminders where org_id = $1';
    expect(await scoring.rows(orgId, rows)).toEqual([row]);
  });

  test('[9.5] of the weekly goal comes at Friday’s noon of whom it is for', async () => {
    const { orgId, members } = await cast('Maya', 'Omar', 'Kim');
    const [maya, omar, kim] = members as unknown as [TestMember, TestMember, TestMember];
    await logOn(maya, 210, day(0), day(1));
    await logOn(omar, 250, day(0), day(1));
    await logOn(kim, 200, day(0), day(1));
    await scoring.tell(orgId, livesIn(kim, 'Etc/GMT+12'));
    await eventually(async () => {
      const zone = 'select from members where org_id = $1 and time_zone = $2';
      expect(await scoring.rows(orgId, zone, 'Etc/GMT+12')).toHaveLength(1);
    });
    const fact = ({ userId }: TestMember, missingCentimiles: number) => ({
      type: 'WeeklyGoalNear',
      key: userId,
      data: { userId, weekStartsOn: monday, missingCentimiles },
    });
    await newProcess().tellDue(berlinAt(day(3), 12));
    expect(await publishedFacts(orgId, ...reminderTypes)).toEqual([]);
    for (const hour of [12, 13, 15]) await newProcess().tellDue(berlinAt(day(4), hour));
    expect(await publishedFacts(orgId, 'WeeklyGoalNear')).toEqual([fact(maya, 80)]);
    // Friday's noon at the other end of the world is midnight after it, or later.
    await newProcess().tellDue(new Date(`${day(5)}T00:00:00Z`));
    expect(await publishedFacts(orgId, 'WeeklyGoalNear')).toEqual([fact(maya, 80), fact(kim, 100)]);
  });

  test('[D14] of a challenge comes on the morning of its last day, to whoever began and has not completed it', async () => {
    const { orgId, members } = await cast('Maya', 'Omar', 'Lena', 'Kim');
    const [maya, omar, lena] = members as unknown as [TestMember, TestMember, TestMember];
    await scoring.app.get(WeeksService).openAll(berlinAt(monday, 1));
    await logOn(maya, 300, day(1));
    await logOn(omar, 600, day(1));
    await logOn(lena, 300, day(-1));
    const [walk] = await scoring.rows<{ id: string }>(
      orgId,
      `select challenge_id as id from weekly_challenges where org_id = $1 and week_starts_on = $2 and name = 'Walk 5 miles'`,
      monday,
    );
    const [thunder] = await scoring.rows<{ id: string }>(
      orgId,
      `select challenge_id as id from weekly_challenges where org_id = $1 and week_starts_on = $2 and challenge_type = 'team'`,
      monday,
    );
    const ending = ({ userId }: TestMember, challengeId: string | undefined, name: string) => ({
      type: 'ChallengeEndingToday',
      key: userId,
      data: { userId, kind: 'weekly', challengeId, name, on: day(6) },
    });
    await newProcess().tellDue(berlinAt(day(5), 8));
    expect(await publishedFacts(orgId, 'ChallengeEndingToday')).toEqual([]);
    await Promise.all([newProcess(), newProcess()].map((each) => each.tellDue(berlinAt(day(6), 9))));
    await newProcess().tellDue(berlinAt(day(6), 11));
    const facts = await publishedFacts(orgId, 'ChallengeEndingToday');
    expect(new Set(facts)).toEqual(
      new Set([ending(maya, walk?.id, 'Walk 5 miles'), ending(omar, thunder?.id, 'Team reaches 50 miles')]),
    );
    expect(facts).toHaveLength(2);
  });

  test('[D43] that somebody had goes with them, and the export has it', async () => {
    const { orgId, members } = await cast('Maya', 'Omar');
    const [maya] = members;
    await logOn(maya, 210, day(0), day(1));
    await newProcess().tellDue(berlinAt(day(4), 12));
    const { body } = await (await scoring.as(maya)).get<{ files: Record<string, object[]> }>('/internal/my-data');
    expect(body.files['reminders']).toEqual([{ kind: 'goal-near', date: day(4), sentAt: expect.any(String) }]);
    await scoring.tell(orgId, memberErased(maya));
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select from sent_reminders where org_id = $1')).toEqual([]);
    });
    await newProcess().tellDue(berlinAt(day(4), 13));
    expect(await scoring.rows(orgId, 'select from sent_reminders where org_id = $1')).toEqual([]);
  });
});

describe('a reached challenge', () => {
  test('[D8 D14 D27] is told once, taken back with what reached it, and told again', async () => {
    const { orgId, maya, named } = await foundWithChallenges(scoring, ['Maya', 'Omar']);
    const { id } = named('Walk 5 miles');
    const walk = movementLogged(maya, { centimiles: 500 });
    const said = await scoring.activity.publish(walk, movementLogged(maya, { centimiles: 10 }));
    await scoring.activity.redeliver(...said, ...said.toReversed());
    const startsOn = named('Walk 5 miles').weekStart;
    const about = { userId: maya.userId, challengeId: id, weekStartsOn: startsOn };
    const reached = {
      type: 'WeeklyChallengeReached',
      key: maya.userId,
      data: { ...about, name: 'Walk 5 miles', bonusCentimiles: 100, reachedAt: expect.any(String) },
    };
    const unreached = {
      type: 'WeeklyChallengeUnreached',
      key: maya.userId,
      data: { ...about, at: expect.any(String) },
    };
    await eventually(async () => expect(await publishedFacts(orgId, ...reachTypes)).toEqual([reached]));
    const corrected = await scoring.activity.publish(movementCorrected(walk, { durationMinutes: 48 }));
    await scoring.activity.redeliver(...corrected);
    await eventually(async () => expect(await publishedFacts(orgId, ...reachTypes)).toEqual([reached, unreached]));
    await scoring.log(maya, { centimiles: 10 });
    await eventually(async () =>
      expect(await publishedFacts(orgId, ...reachTypes)).toEqual([reached, unreached, reached]),
    );
    expect(await isClaimed(await scoring.as(maya), id)).toBe(true);
    await scoring.log(maya, { centimiles: 10 });
    expect(await publishedFacts(orgId, ...reachTypes)).toHaveLength(3);
  });

  test('[D14 D27] of a team is told to each of its members who was there, and to nobody else', async () => {
    const { orgId, maya, members, named } = await foundWithChallenges(scoring, ['Maya', 'Omar', 'Lena', 'Zoë', 'Kim']);
    const { id } = named('Team reaches 50 miles');
    const [, , lena, , kim] = members;
    if (!lena || !kim) throw new Error('five members');
    const { userId, teamId } = kim;
    const deactivated = { userId, teamId, deactivatedAt: '2026-11-21T08:00:00.000Z' };
    await scoring.tell(orgId, { type: 'MemberDeactivated', data: deactivated });
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select from members where org_id = $1 and not is_active')).toHaveLength(1);
    });
    const ride = movementLogged(lena, { centimiles: 5_000 });
    await scoring.activity.redeliver(...(await scoring.activity.publish(ride)));
    const ofTeam = async () =>
      (await publishedFacts(orgId, ...reachTypes))
        .map((fact) => fact as { type: string; key: string; data: { challengeId: string } })
        .filter(({ data }) => data.challengeId === id)
        .map(({ type, key }) => `${type} ${key}`)
        .toSorted();
    const each = (type: string) => [maya, lena].map(({ userId }) => `${type} ${userId}`);
    await eventually(async () => expect(await ofTeam()).toEqual(each('WeeklyChallengeReached').toSorted()));
    await scoring.activity.publish(movementCorrected(ride, { durationMinutes: 400 }));
    await eventually(async () => {
      expect(await ofTeam()).toEqual(reachTypes.flatMap(each).toSorted());
    });
  });
});

describe('a lost rank', () => {
  test('[D12 D18 D27] is told to the neighbour once a day, and never of or to somebody who hides', async () => {
    const { orgId, members } = await cast('Maya', 'Omar', 'Lena', 'Zoë');
    const [maya, omar, lena, zoe] = members as unknown as [TestMember, TestMember, TestMember, TestMember];
    await scoring.tell(
      orgId,
      privacyChosen(lena, { statsVisible: false }),
      privacyChosen(zoe, { profileVisible: false }),
    );
    await eventually(async () => {
      const hiding = 'select from members where org_id = $1 and not (stats_visible and profile_visible)';
      expect(await scoring.rows(orgId, hiding)).toHaveLength(2);
    });
    await scoring.log(zoe, { centimiles: 350 });
    await scoring.log(maya, { centimiles: 300 });
    expect(await publishedFacts(orgId, 'RankLost')).toEqual([]);
    // Unseen, then seen: only the second passes anybody by.
    await scoring.log(lena, { centimiles: 320 });
    expect(await publishedFacts(orgId, 'RankLost')).toEqual([]);
    const said = await scoring.log(omar, { centimiles: 310 });
    await scoring.activity.redeliver(...said);
    const lost = {
      type: 'RankLost',
      key: maya.userId,
      data: { userId: maya.userId, byUserId: omar.userId, rank: 4, lostAt: expect.any(String) },
    };
    await eventually(async () => expect(await publishedFacts(orgId, 'RankLost')).toEqual([lost]));
    // Zoë is passed by, and hides.
    await scoring.log(omar, { centimiles: 50 });
    await scoring.log(maya, { centimiles: 15 });
    await scoring.log(omar, { centimiles: 10 });
    expect(await publishedFacts(orgId, 'RankLost')).toEqual([lost]);
  });

  test('[D27 G5] is told to nobody from the thousandth place on, whose count would cost what the organisation is large', async () => {
    const { orgId, members } = await scoring.foundOrganisation(['Maya', 'Omar']);
    const [maya, omar] = members;
    if (!maya || !omar) throw new Error('two members');
    await scoring.log(maya, { centimiles: 300 });
    await scoring.log(omar, { centimiles: 310 });
    const sums = 'select centimiles::int from member_totals where org_id = $1 order by 1';
    await eventually(async () =>
      expect(await scoring.rows(orgId, sums)).toEqual([{ centimiles: 300 }, { centimiles: 310 }]),
    );
    // On a day on which nobody has been told yet; what is put down here is never committed.
    const at = new Date(Date.now() + 2 * 86_400_000);
    const lost: object[][] = [];
    const undone = new Error('undone');
    const tried = withTenant(scoring.pool, orgId, async (tx) => {
      for (const others of [0, 998, 1]) {
        await tx.query(
          `insert into member_totals (org_id, user_id, centimiles, reached_at, version)
           select $1, uuidv7(), 1000, now(), 1 from generate_series(1, $2)`,
          [orgId, others],
        );
        lost.push(await lostRanks(tx, { orgId, at }, new Map([[omar.userId, 310]])));
      }
      throw undone;
    });
    await expect(tried).rejects.toBe(undone);
    const lostRankFacts = (rank: number) => [
      expect.objectContaining({ event: expect.objectContaining({ data: expect.objectContaining({ rank }) }) }),
    ];
    expect(lost).toEqual([lostRankFacts(2), lostRankFacts(1_000), []]);
  });
});
