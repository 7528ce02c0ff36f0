import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { personKey } from '@caravan/contracts/events/fact-key';
import { challengeProgressSchema } from '@caravan/contracts/http/challenges';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { weeklyChallengeCompleted } from '@caravan/contracts/events/scoring.events';
import { listenTo } from '@caravan/messaging/testing/listener';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bonusesOf, isClaimed, entriesOf, foundWithChallenges } from '../testing/challenges-under-test.ts';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import { refuseRows } from '../testing/refused-rows.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { ClaimsService } from './claims.service.ts';
import { WeeksService } from './weeks.service.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const foundOrganisation = (names?: string[], timeZone?: string) => foundWithChallenges(scoring, names, timeZone);

describe('a week', () => {
  test('[3.13 3.28 7.11 9.24 D14 D40] has an individual distance, a day count and a team challenge at once', async () => {
    const { challenges } = await foundOrganisation();
    const startsOn = weekStartOf(localDateOf(new Date(), 'Europe/Berlin'));
    expect(
      challenges.map(({ name, targetValue, targetUnit, challengeType }) => [
        name,
        targetValue,
        targetUnit,
        challengeType,
      ]),
    ).toEqual([
      ['Walk 5 miles', 5, 'miles', 'individual'],
      ['Log 5 days', 5, 'days', 'individual'],
      ['Team reaches 50 miles', 50, 'miles', 'team'],
    ]);
    expect(new Set(challenges.map(({ weekStart, weekEnd }) => `${weekStart} ${weekEnd}`))).toEqual(
      new Set([`${startsOn} ${addDays(startsOn, 6)}`]),
    );
    expect(challenges.every(({ bonusMiles, description }) => bonusMiles > 0 && description !== '')).toBe(true);
  });

  test("[D10 D14] begins on Monday 00:00 in the organisation's own time zone, and is opened once", async () => {
    const weeks = scoring.app.get(WeeksService);
    // 10:00 UTC on a Sunday is Monday 00:00 on Kiritimati; in Pago Pago Monday begins 25 hours later.
    const zones = [
      { timeZone: 'Pacific/Kiritimati', monday: '2026-12-06T10:00:00.000Z' },
      { timeZone: 'Pacific/Pago_Pago', monday: '2026-12-07T11:00:00.000Z' },
    ];
    for (const { timeZone, monday } of zones) {
      const { orgId } = await foundOrganisation(['Maya'], timeZone);
      const openWeeks = () =>
        scoring.rows<{ week: string; count: number }>(
          orgId,
          `select week_starts_on::text as week, count(*)::int from weekly_challenges
           where org_id = $1 and week_starts_on > '2026-11-29' group by 1 order by 1`,
        );
      const at = (milliseconds: number) => new Date(Date.parse(monday) + milliseconds);
      await weeks.openAll(at(-1));
      expect((await openWeeks()).filter(({ week }) => week === '2026-12-07')).toEqual([]);
      await Promise.all([weeks.openAll(at(0)), weeks.openAll(at(0)), weeks.running(orgId, at(0))]);
      await weeks.openAll(at(3 * 86_400_000));
      expect((await openWeeks()).filter(({ week }) => week === '2026-12-07')).toEqual([
        { week: '2026-12-07', count: 3 },
      ]);
    }
  });

  test('[D14] is read before anybody has opened it as it will be, and opened by the next look, not by its readers', async () => {
    const { orgId } = await foundOrganisation();
    const weeks = scoring.app.get(WeeksService);
    const openedWeeks = () => scoring.rows(orgId, 'select from challenge_weeks where org_id = $1');
    expect(await openedWeeks()).toHaveLength(1);
    const inThreeWeeks = new Date(Date.now() + 21 * 86_400_000);
    const read = await weeks.running(orgId, inThreeWeeks);
    expect(read.map(({ weekStart }) => weekStart)).toEqual(
      Array(3).fill(weekStartOf(localDateOf(inThreeWeeks, 'Europe/Berlin'))),
    );
    expect(await openedWeeks()).toHaveLength(1);
    await weeks.openAll(inThreeWeeks);
    expect(await openedWeeks()).toHaveLength(2);
    expect(await weeks.running(orgId, inThreeWeeks)).toEqual(read);
  });

  test('[D14 D40] of a founded organisation is there with it; claimed or watched before anybody opened it, it counts', async () => {
    const { orgId, said } = await scoring.foundOrganisation(['Maya']);
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select from organisations where org_id = $1')).toHaveLength(1);
    });
    expect(await scoring.rows(orgId, 'select from weekly_challenges where org_id = $1')).toHaveLength(3);
    await scoring.identity.redeliver(...said);
    const { maya, api, named, ...other } = await foundOrganisation();
    const about = [other.orgId];
    await scoring.asSystem('delete from weekly_challenges where org_id = $1', about);
    await scoring.asSystem('delete from challenge_weeks where org_id = $1', about);
    const { id } = named('Walk 5 miles');
    const header = minPosition('activity', await scoring.log(maya, { centimiles: 500 }));
    const progress = await api.get(`/api/weekly-challenges/${id}/progress`, header);
    expect(progress.body).toEqual({ currentProgress: 5, targetValue: 5, bonusAwarded: false });
    expect(await scoring.rows(other.orgId, 'select from challenge_weeks where org_id = $1')).toEqual([]);
    expect(await isClaimed(api, id)).toBe(true);
  });

  test('[D14] without a single active template is empty, and stays so for its readers', async () => {
    const { api, orgId } = await foundOrganisation();
    await scoring.asSystem(
      `insert into challenge_templates (org_id, template_id, place, name, description, target_value, target_unit,
         bonus_centimiles, challenge_type, is_active)
       values ($1, 'rest', 1, 'Rest', 'Nothing this week.', 1, 'miles', 100, 'individual', false)`,
      [orgId],
    );
    const weeks = scoring.app.get(WeeksService);
    const inTwo = new Date(Date.now() + 14 * 86_400_000);
    expect(await weeks.running(orgId, inTwo)).toEqual([]);
    await weeks.openAll(inTwo);
    expect(await weeks.running(orgId, inTwo)).toEqual([]);
    expect((await api.get('/api/weekly-challenges')).body).toHaveLength(3);
  });

  test('[D14] that cannot be opened for one organisation is opened for all others', async () => {
    const weeks = scoring.app.get(WeeksService);
    const inSeven = new Date(Date.now() + 49 * 86_400_000);
    const week = weekStartOf(localDateOf(inSeven, 'Europe/Berlin'));
    const both = [(await foundOrganisation()).orgId, (await foundOrganisation()).orgId];
    const isOpen = async (orgId: string) => {
      const sql = 'select from challenge_weeks where org_id = $1 and week_starts_on = $2';
      return (await scoring.rows(orgId, sql, week)).length === 1;
    };
    // Whichever of them comes first.
    for (const broken of both) {
      const refusal = { table: 'challenge_weeks', operation: 'insert', orgId: broken } as const;
      const endRefusal = await refuseRows(scoring.ownerUrl, refusal);
      await weeks.openAll(inSeven);
      await endRefusal();
      expect(await isOpen(both.find((orgId) => orgId !== broken) ?? '')).toBe(true);
      await scoring.asSystem('delete from weekly_challenges where week_starts_on = $1', [week]);
      await scoring.asSystem('delete from challenge_weeks where week_starts_on = $1', [week]);
      await vi.waitUntil(() => scoring.app.get(Sweeps).of('scoring.open-weeks').resting().length === 0, 10_000);
    }
  });

  test('[D14] that everything is told of twice is the same week', async () => {
    const { said, api, challenges } = await foundOrganisation();
    await scoring.identity.redeliver(...said, ...said);
    expect((await api.get('/api/weekly-challenges', minPosition('identity', said))).body).toEqual(challenges);
  });
});

describe('progress', () => {
  test("[3.29 4.20 7.12 D14] is the caller's own, or the team's sum", async () => {
    const { members, maya, api, named } = await foundOrganisation(['Maya', 'Omar', 'Lena']);
    const lena = members[2];
    if (!lena) throw new Error('Lena is in the team of Maya');
    await scoring.log(lena, { centimiles: 700 });
    const said = await scoring.log(maya, { centimiles: 300 }, { centimiles: 50 });
    const progress = async (name: string) =>
      challengeProgressSchema.parse(
        (await api.get(`/api/weekly-challenges/${named(name).id}/progress`, minPosition('activity', said))).body,
      );
    await eventually(async () => expect((await progress('Team reaches 50 miles')).currentProgress).toBe(10.5));
    expect(await progress('Walk 5 miles')).toEqual({ currentProgress: 3.5, targetValue: 5, bonusAwarded: false });
    expect(await progress('Log 5 days')).toEqual({ currentProgress: 1, targetValue: 5, bonusAwarded: false });
  });

  test('[D4 S18] of what the organisation does not have does not exist', async () => {
    const { api } = await foundOrganisation();
    const other = await foundOrganisation();
    for (const id of [randomUUID(), other.named('Walk 5 miles').id, 'walk', '%00']) {
      expect((await api.get(`/api/weekly-challenges/${id}/progress`)).status).toBe(404);
      expect((await api.post(`/api/weekly-challenges/${id}/complete`, {})).status).toBe(404);
    }
  });
});

describe('claiming the bonus', () => {
  test('[3.30 7.13 D14] before the target is reached gives nothing and changes nothing', async () => {
    const { maya, api, named } = await foundOrganisation();
    const said = await scoring.log(maya, { centimiles: 499 });
    expect(await isClaimed(api, named('Walk 5 miles').id, minPosition('activity', said))).toBe(false);
    expect(await bonusesOf(scoring, maya)).toEqual([]);
  });

  test('[3.14 D4 D14] fifty times at once gives it once, and everybody hears of it once', async () => {
    const listener = await listenTo('scoring', scoring.env);
    try {
      const { maya, api, named } = await foundOrganisation();
      const { id } = named('Walk 5 miles');
      const said = await scoring.log(maya, { centimiles: 500 });
      await eventually(async () => expect(await entriesOf(scoring, maya)).toHaveLength(said.length));
      const answers = await Promise.all(Array.from({ length: 50 }, () => isClaimed(api, id)));
      expect(answers).toEqual(Array(50).fill(true));
      expect(await bonusesOf(scoring, maya)).toEqual([100]);
      const progress = await api.get(`/api/weekly-challenges/${id}/progress`);
      expect(progress.body).toEqual({ currentProgress: 5, targetValue: 5, bonusAwarded: true });
      const facts = () =>
        listener.heard.filter(({ type, key }) => type === 'WeeklyChallengeCompleted' && key === maya.userId);
      await eventually(async () => expect(facts()).toHaveLength(1));
      expect(weeklyChallengeCompleted.data.parse(facts()[0]?.data)).toMatchObject({
        challengeId: id,
        userId: maya.userId,
        teamId: maya.teamId,
        name: 'Walk 5 miles',
        bonusCentimiles: 100,
      });
    } finally {
      await listener.close();
    }
  });

  test('[D14 ADR-0019] of an ended week is for seven days, and never for who was not there that week', async () => {
    const { orgId, maya, named, members } = await foundOrganisation(['Maya', 'Omar', 'Lena', 'Noah']);
    const [, omar, lena] = members;
    if (!omar || !lena) throw new Error('four members');
    const walk = named('Walk 5 miles');
    const team = named('Team reaches 50 miles');
    for (const member of [maya, omar, lena]) await scoring.log(member, { centimiles: 6_000 });
    await eventually(async () => expect(await entriesOf(scoring, lena)).toHaveLength(1));
    const { weekStart } = walk;
    const since = (member: TestMember, joinedOn: string, inTeamSince: string) =>
      scoring.asSystem('update members set joined_on = $3, in_team_since = $4 where org_id = $1 and user_id = $2', [
        orgId,
        member.userId,
        joinedOn,
        inTeamSince,
      ]);
    await since(omar, addDays(weekStart, 7), addDays(weekStart, 7));
    await since(lena, addDays(weekStart, -7), addDays(weekStart, 7));
    const claims = scoring.app.get(ClaimsService);
    const claim = ({ userId }: TestMember, { id }: { id: string }, on: string) => {
      const at = new Date(`${on}T12:00:00.000Z`);
      const meta = { orgId, actorId: userId, at, key: personKey(userId) };
      return claims.complete({ orgId, userId, sessionId: randomUUID(), role: 'member', at, meta }, id);
    };
    const lastDay = addDays(weekStart, 13);
    const tooLate = addDays(weekStart, 14);
    // Who joined after the week typed a log into it, who changed teams after it finds its sum reached.
    expect(await claim(omar, walk, lastDay)).toBe(false);
    expect(await claim(lena, team, lastDay)).toBe(false);
    expect(await claim(maya, walk, tooLate)).toBe(false);
    expect(await claim(maya, walk, lastDay)).toBe(true);
    expect(await claim(lena, walk, lastDay)).toBe(true);
    expect(await claim(maya, walk, tooLate)).toBe(true);
    expect([await bonusesOf(scoring, maya), await bonusesOf(scoring, omar)]).toEqual([[100], []]);
  });

  test('[D40] adds its miles to the person and the team, and makes no day active', async () => {
    const { orgId, maya, api, named } = await foundOrganisation();
    const said = await scoring.log(maya, { centimiles: 500 });
    expect(await isClaimed(api, named('Walk 5 miles').id, minPosition('activity', said))).toBe(true);
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select centimiles from team_totals where org_id = $1')).toEqual([
        { centimiles: 600 },
      ]);
    });
    expect(await scoring.rows(orgId, 'select centimiles from member_totals where org_id = $1')).toEqual([
      { centimiles: 600 },
    ]);
    expect(await scoring.rows(orgId, 'select started_on = ended_on as one from streak_runs where org_id = $1')).toEqual(
      [{ one: true }],
    );
  });

  test("[D14] of a team's challenge is for each of its members, once", async () => {
    const { members, maya, api, named } = await foundOrganisation(['Maya', 'Omar', 'Lena']);
    const [, omar, lena] = members;
    if (!omar || !lena) throw new Error('three members');
    const { id } = named('Team reaches 50 miles');
    await scoring.log(maya, { centimiles: 5000 });
    await eventually(async () => expect(await entriesOf(scoring, maya)).toHaveLength(1));
    const lenas = await scoring.as(lena);
    const answers = await Promise.all(
      [...Array.from({ length: 20 }, () => api), ...Array.from({ length: 20 }, () => lenas)].map((one) =>
        isClaimed(one, id),
      ),
    );
    expect(new Set(answers)).toEqual(new Set([true]));
    expect([await bonusesOf(scoring, maya), await bonusesOf(scoring, lena)]).toEqual([[200], [200]]);
    expect(await isClaimed(await scoring.as(omar), id)).toBe(false);
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  const { maya, api, named } = await foundOrganisation();
  const said = await scoring.log(maya, { centimiles: 500 });
  await api.post(`/api/weekly-challenges/${named('Walk 5 miles').id}/complete`, {}, minPosition('activity', said));
  const { unguarded, leaking, proven } = await tenancyOf(scoring.pool, randomUUID());
  expect([unguarded, leaking]).toEqual([[], []]);
  expect(proven).toEqual(expect.arrayContaining(['challenge_weeks', 'weekly_challenges', 'weekly_claims']));
});
