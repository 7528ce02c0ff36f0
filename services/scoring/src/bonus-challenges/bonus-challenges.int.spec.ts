import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { openBonusChallengeSchema } from '@caravan/contracts/http/challenges';
import {
  bonusChallengeClosed,
  bonusChallengeCompleted,
  bonusChallengeOpened,
} from '@caravan/contracts/events/scoring.events';
import { listenTo } from '@caravan/messaging/testing/listener';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minPosition, movementLogged, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest } from '../testing/scoring-under-test.ts';
import { refuseRows } from '../testing/refused-rows.ts';
import { ScheduleBonusChallenges } from './schedule-bonus-challenges.job.ts';
import { BonusChallengeScheduler, closeBonusChallenge } from './scheduler.service.ts';

let scoring: ScoringUnderTest;
let schedule: ScheduleBonusChallenges;
beforeAll(async () => {
  scoring = await startScoring();
  schedule = scoring.app.get(ScheduleBonusChallenges);
});
afterAll(() => scoring.close());

const dayMilliseconds = 86_400_000;

async function foundOrganisation() {
  const organisation = await scoring.foundOrganisation(['Maya', 'Omar']);
  const [maya, omar] = organisation.members;
  if (!maya || !omar) throw new Error('two members');
  const api = await scoring.as(maya);
  const known = minPosition('identity', organisation.said);
  await api.get('/api/dashboard/stats', known);
  const open = async (headers = {}) =>
    openBonusChallengeSchema.parse((await api.get('/api/bonus-challenge', headers)).body);
  const all = () =>
    scoring.rows<{ id: string; closedAt: Date | null; openedAt: Date; expiresAt: Date }>(
      organisation.orgId,
      `select challenge_id as id, closed_at, opened_at, expires_at
       from bonus_challenges where org_id = $1 order by opened_at`,
    );
  return { ...organisation, maya, omar, api, open, all };
}

describe('bonus challenges', () => {
  test('[3.27 4.18 7.10 D15 D40] a new organisation has one soon; without one the answer is null', async () => {
    const nobody = { orgId: randomUUID(), userId: randomUUID() };
    const stranger = await (await scoring.as(nobody)).get('/api/bonus-challenge');
    expect([stranger.status, stranger.body, stranger.headers.get('content-type')]).toEqual([
      200,
      null,
      'application/json; charset=utf-8',
    ]);
    const { open } = await foundOrganisation();
    await schedule.scheduleAll(new Date());
    expect(await open()).toMatchObject({
      activityType: expect.any(String),
      targetDurationMinutes: expect.any(Number),
      targetDistanceMiles: null,
      multiplier: 2,
      isActive: true,
      isCompleted: false,
    });
  });

  test('[D15] at most one is open, however many look at the same time', async () => {
    const { all } = await foundOrganisation();
    const at = new Date();
    await Promise.all(Array.from({ length: 10 }, () => schedule.scheduleAll(at)));
    expect(await all()).toHaveLength(1);
  });

  test('[4.16 D15] closes when its time is over, and the next comes on another day; a missed schedule catches up', async () => {
    const { all, open, orgId } = await foundOrganisation();
    const listener = await listenTo('scoring', scoring.env);
    try {
      await schedule.scheduleAll(new Date());
      const [first] = await all();
      if (!first) throw new Error('one is open');
      await schedule.scheduleAll(new Date(first.expiresAt.getTime() - 1));
      expect((await all())[0]?.closedAt).toBeNull();
      // Three days later at noon in Berlin: the old one is closed, a new one opened.
      const later = new Date(`${new Date(Date.now() + 3 * dayMilliseconds).toISOString().slice(0, 10)}T11:00:00.000Z`);
      await schedule.scheduleAll(later);
      await schedule.scheduleAll(later);
      const both = await all();
      expect(both.map(({ closedAt }) => closedAt !== null)).toEqual([true, false]);
      await scoring.app.get(BonusChallengeScheduler, { strict: false }).close(orgId, first.id, later);
      expect((await all())[0]?.closedAt).toEqual(both[0]?.closedAt);
      expect((await open())?.id).toBe(both[1]?.id);
      const heardFacts = () => listener.heard.filter(({ key }) => key === orgId);
      await eventually(async () => expect(heardFacts()).toHaveLength(3));
      const [opened, closed] = heardFacts().map(({ data }) => data);
      expect(bonusChallengeOpened.data.parse(opened)).toMatchObject({ challengeId: first.id, multiplier: 2 });
      expect(bonusChallengeClosed.data.parse(closed)).toMatchObject({ challengeId: first.id, completedCount: 0 });
    } finally {
      await listener.close();
    }
  });

  test('[D15] that cannot be opened or closed for one organisation stop no other one', async () => {
    const broken = await foundOrganisation();
    await eventually(async () => expect(await broken.all()).toHaveLength(1));
    const endRefusal = await refuseRows(scoring.ownerUrl, {
      table: 'bonus_challenges',
      operation: 'update',
      orgId: broken.orgId,
    });
    try {
      const sound = await foundOrganisation();
      await eventually(async () => expect(await sound.all()).toHaveLength(1));
      await schedule.scheduleAll(new Date(Date.now() + 2 * dayMilliseconds));
      expect((await sound.all())[0]?.closedAt).not.toBeNull();
      expect((await broken.all())[0]?.closedAt).toBeNull();
    } finally {
      await endRefusal();
    }
  });

  test('[4.16 D15] is closed by a job of its own, which Redis keeps for that instant', async () => {
    const { orgId, all } = await foundOrganisation();
    await schedule.scheduleAll(new Date());
    const [first] = await all();
    if (!first) throw new Error('one is open');
    const job = { orgId, challengeId: first.id };
    await scoring.app.get(Jobs).enqueue(closeBonusChallenge, job, { key: randomUUID(), delaySeconds: 1 });
    await eventually(async () => expect((await all())[0]?.closedAt).not.toBeNull());
  });
});

describe('a log that completes a bonus challenge', () => {
  test('[3.11 D15] is counted once, shown to its member and told to everybody else once', async () => {
    const { maya, omar, open, all, orgId } = await foundOrganisation();
    await schedule.scheduleAll(new Date());
    const [challenge] = await all();
    const bonusChallengeId = challenge?.id;
    const listener = await listenTo('scoring', scoring.env);
    try {
      const logged = movementLogged(maya, { centimiles: 600 });
      const said = await scoring.activity.publish({
        ...logged,
        data: { ...logged.data, bonusChallengeId },
      });
      await scoring.activity.redeliver(...said);
      await scoring.activity.publish({ ...logged, data: { ...logged.data, bonusChallengeId } });
      await eventually(async () => expect((await open(minPosition('activity', said)))?.isCompleted).toBe(true));
      const omars = openBonusChallengeSchema.parse((await (await scoring.as(omar)).get('/api/bonus-challenge')).body);
      expect(omars?.isCompleted).toBe(false);
      const facts = () => listener.heard.filter(({ type }) => type === 'BonusChallengeCompleted');
      await eventually(async () => expect(facts()).toHaveLength(1));
      expect(bonusChallengeCompleted.data.parse(facts()[0]?.data)).toMatchObject({
        challengeId: bonusChallengeId,
        userId: maya.userId,
        logId: logged.data.logId,
      });
      expect(await scoring.rows(orgId, 'select from bonus_completions where org_id = $1')).toHaveLength(1);
    } finally {
      await listener.close();
    }
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  await foundOrganisation();
  await schedule.scheduleAll(new Date());
  const { unguarded, leaking, proven } = await tenancyOf(scoring.pool, randomUUID());
  expect([unguarded, leaking]).toEqual([[], []]);
  expect(proven).toContain('bonus_challenges');
});
