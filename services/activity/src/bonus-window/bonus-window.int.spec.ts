import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { logAnswerSchema, type LogAnswer } from '@caravan/contracts/http/movement';
import { movementLogged } from '@caravan/contracts/events/activity.events';
import { listenTo } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
let scoring: PeerService;
beforeAll(async () => {
  activity = await startActivity();
  scoring = await startPeerService('scoring', activity.env);
});
afterAll(async () => {
  await scoring.close();
  await activity.close();
});

const walk = { activityType: 'Walking', durationMinutes: 30 };
const plain = { milesEarned: 3, multiplier: 1, bonusApplied: false };
const doubled = { milesEarned: 6, multiplier: 2, bonusApplied: true };

/** Opens a bonus challenge for walks of 20 minutes, said twice; known here when this returns. */
async function openWindow(orgId: string, terms: object = {}): Promise<string> {
  const challengeId = randomUUID();
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const data = {
    challengeId,
    strategy: 'momentum_boost',
    title: 'Walking Boost',
    description: 'Walk',
    multiplier: 2,
    activityType: 'Walking',
    targetDurationMinutes: 20,
    openedAt: hour(-1),
    expiresAt: hour(4),
    ...terms,
  };
  const fact = { type: 'BonusChallengeOpened', version: 1, orgId, key: orgId, data };
  const said = await scoring.publish(fact, fact);
  await scoring.redeliver(...said);
  await eventually(async () => {
    const known = await activity.rows(
      orgId,
      'select from bonus_windows where org_id = $1 and challenge_id = $2',
      challengeId,
    );
    if (known.length === 0) throw new Error('not known yet');
  });
  return challengeId;
}

async function closeWindow(orgId: string, challengeId: string): Promise<void> {
  const data = { challengeId, completedCount: 0, closedAt: new Date().toISOString() };
  await scoring.publish({ type: 'BonusChallengeClosed', version: 1, orgId, key: orgId, data });
  await eventually(async () => {
    const rows = await activity.rows(
      orgId,
      'select from bonus_windows where org_id = $1 and challenge_id = $2 and closed_at is not null',
      challengeId,
    );
    if (rows.length === 0) throw new Error('still open');
  });
}

async function logger(joining: Partial<Joining> = {}) {
  const member = await activity.join(joining);
  const api = await activity.as(member);
  const log = async (bonusChallengeId: string, changes: object = {}): Promise<LogAnswer> => {
    const { status, body } = await api.post('/api/log', { ...walk, ...changes, bonusChallengeId });
    expect(status).toBe(200);
    return logAnswerSchema.parse(body);
  };
  const uses = () =>
    activity.rows(member.orgId, 'select from bonus_uses where org_id = $1 and user_id = $2', member.userId);
  return { ...member, api, log, uses };
}

describe('a log that names a bonus challenge', () => {
  test('[3.10 3.32 7.17 9.4 D15 D16] earns its multiplier, and says so', async () => {
    const { orgId, userId, log, api } = await logger();
    const challengeId = await openWindow(orgId);
    const listener = await listenTo('activity', activity.env);
    try {
      const answer = await log(challengeId, { activityType: 'walking' });
      expect(answer).toMatchObject({ ...doubled, totalMiles: 6 });
      expect(answer).not.toHaveProperty('bonusReason');
      const facts = () => listener.heard.filter(({ key }) => key === userId);
      await eventually(() => expect(facts()).toHaveLength(1));
      expect(movementLogged.data.parse(facts()[0]?.data)).toMatchObject({
        multiplier: 2,
        centimiles: 600,
        bonusChallengeId: challengeId,
      });
      const own = await api.get<{ multiplier: number; distanceMiles: number }[]>('/api/logs');
      expect(own.body).toMatchObject([{ multiplier: 2, distanceMiles: 6 }]);
    } finally {
      await listener.close();
    }
  });

  test('[D15] completes it exactly once, however many come at the same time', async () => {
    const { orgId, log, uses } = await logger();
    const challengeId = await openWindow(orgId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => log(challengeId)));
    expect(answers.filter(({ bonusApplied }) => bonusApplied)).toHaveLength(1);
    expect(new Set(answers.map(({ bonusReason }) => bonusReason))).toEqual(
      new Set([undefined, 'bonus/already-completed']),
    );
    expect(Math.max(...answers.map(({ totalMiles }) => totalMiles))).toBe(51 * 3);
    expect(await uses()).toHaveLength(1);
  });

  test('[D15 D40] that does not fit is credited all the same, with the reason', async () => {
    const { orgId, log } = await logger();
    const stranger = await logger();
    const challengeId = await openWindow(orgId);
    const expired = await openWindow(orgId, { expiresAt: new Date(Date.now() - 1_000).toISOString() });
    const shut = await openWindow(orgId);
    await closeWindow(orgId, shut);
    const foreign = await openWindow(stranger.orgId);
    const cases = [
      [challengeId, { durationMinutes: 19 }, 'bonus/too-short', 1.9],
      [challengeId, { activityType: 'Running' }, 'bonus/other-activity', 3],
      [expired, {}, 'bonus/closed', 3],
      [shut, {}, 'bonus/closed', 3],
      [foreign, {}, 'bonus/unknown', 3],
      [randomUUID(), {}, 'bonus/unknown', 3],
      ["walk'; drop table bonus_windows", {}, 'bonus/unknown', 3],
    ] as const;
    for (const [id, changes, bonusReason, milesEarned] of cases)
      expect(await log(id, changes)).toMatchObject({ ...plain, milesEarned, bonusReason });
    expect(await log(challengeId)).toMatchObject(doubled);
    expect(await log(challengeId)).toMatchObject({ ...plain, bonusReason: 'bonus/already-completed' });
  });

  test('[D15] completes it for each member by themselves', async () => {
    const maya = await logger();
    const omar = await logger({ orgId: maya.orgId, teamId: maya.teamId });
    const challengeId = await openWindow(maya.orgId);
    expect([await maya.log(challengeId), await omar.log(challengeId)]).toMatchObject([doubled, doubled]);
  });

  test('[D8 D15] gives the completion back when it is corrected to something else or deleted', async () => {
    const { orgId, log, api, uses } = await logger();
    const challengeId = await openWindow(orgId);
    const first = await log(challengeId);
    expect((await api.patch(`/api/logs/${first.id}`, { durationMinutes: 25 })).status).toBe(200);
    expect(await uses()).toHaveLength(1);
    expect((await api.patch(`/api/logs/${first.id}`, { durationMinutes: 10 })).status).toBe(200);
    expect(await uses()).toEqual([]);
    const second = await log(challengeId);
    expect(second).toMatchObject({ ...doubled, totalMiles: 7 });
    expect((await api.delete(`/api/logs/${second.id}`)).status).toBe(200);
    expect(await uses()).toEqual([]);
    expect(await log(challengeId)).toMatchObject({ ...doubled, totalMiles: 7 });
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  const { orgId, log } = await logger();
  await log(await openWindow(orgId));
  const { unguarded, leaking, proven } = await tenancyOf(activity.pool, randomUUID());
  expect([unguarded, leaking]).toEqual([[], []]);
  expect(proven).toEqual(expect.arrayContaining(['bonus_windows', 'bonus_uses']));
});
