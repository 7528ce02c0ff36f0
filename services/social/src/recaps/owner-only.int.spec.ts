import { addDays } from '@caravan/contracts/domain/time/local-days';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movementLogged, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest } from '../testing/social-under-test.ts';
import { challengeCompleted, creditedFact, livedWeek, monday } from '../testing/told-weeks.ts';

let social: SocialUnderTest;
let heard: Listener;
beforeAll(async () => {
  social = await startSocial();
  heard = await listenTo('social', social.env);
});
afterAll(async () => {
  await heard.close();
  await social.close();
});

describe('what only its owner may see', () => {
  test('[D21 D28] is in no recap: neither streak, challenge nor badge', async () => {
    const week = await livedWeek(social);
    const sunday = addDays(monday, 6);
    const ofZoe = creditedFact(week.zoe, { centimiles: 100, on: sunday, run: [addDays(monday, -30), sunday, 36] });
    const completed = challengeCompleted(week.omar, 'Walk 5 miles', '019a8c10-0000-7000-8000-0000000000c1');
    const badge = {
      badgeId: 'streak-30',
      badgeName: 'Full Moon',
      badgeIcon: '🌙',
      earnedAt: `${sunday}T10:00:00.000Z`,
    };
    const said = await social.scoring.publish(
      { ...ofZoe, data: { ...ofZoe.data, shown: { latestRun: null } } },
      { ...completed, data: { ...completed.data, isOwnerOnly: true } },
      {
        type: 'OwnBadgeEarned',
        version: 1,
        orgId: week.orgId,
        key: week.zoe.userId,
        data: { userId: week.zoe.userId, ...badge },
      },
    );
    await social.scoring.redeliver(...said);
    const ofOmar = creditedFact(week.omar, { centimiles: 700, on: sunday });
    await social.scoring.publish(ofOmar);
    await expect
      .poll(() => week.rows(`select from recap_member_weeks where org_id = $1 and centimiles = 900`))
      .toHaveLength(1);
    await week.build();
    expect(await week.recapOf(week.maya)).toMatchObject({
      streaks: { kept: 1, longestDays: 10 },
      challenges: { weekly: [{ name: 'Walk 5 miles', completions: 2 }] },
      badgesEarned: 0,
    });
  });

  test('[D13 D34] is told to its owner, and the notice goes with the badge', async () => {
    const week = await livedWeek(social);
    const { userId } = week.zoe;
    const about = { version: 1, orgId: week.orgId, key: userId };
    const badge = {
      userId,
      badgeId: 'mile-1',
      badgeName: 'First Mile',
      badgeIcon: '🥾',
      earnedAt: new Date().toISOString(),
    };
    const own = { ...about, type: 'OwnBadgeEarned', data: badge };
    const withdrawn = {
      ...about,
      type: 'BadgeWithdrawn',
      data: { userId, badgeId: 'mile-1', withdrawnAt: new Date().toISOString() },
    };
    const bell = async () => {
      const { body } = await (await social.as(week.zoe)).get<{ kind: string; count: number }[]>('/api/notifications');
      return body.flatMap(({ kind, count }) => (kind === 'badge' ? [count] : []));
    };
    const said = await social.scoring.publish(own);
    await social.scoring.redeliver(...said);
    await expect.poll(bell).toEqual([1]);
    await social.scoring.publish({ ...about, type: 'BadgeEarned', data: badge });
    await social.scoring.publish(own, withdrawn);
    await expect.poll(bell).toEqual([]);
  });

  test('[D21] a reaction to a post that nobody else may see says so when it leaves', async () => {
    const week = await livedWeek(social);
    const fact = movementLogged(week.maya);
    await social.activity.publish({ ...fact, data: { ...fact.data, audience: 'owner' } });
    const maya = await social.as(week.maya);
    const react = async (movementLogId: string) =>
      (await maya.post('/api/feed/react', { movementLogId, emoji: '💪' })).status;
    await expect.poll(() => react(fact.data.logId)).toBe(200);
    expect(await react(week.quoted.data.logId)).toBe(200);
    const partGiven = () =>
      heard.heard
        .filter(({ type, key }) => type === 'ReactionGiven' && key === week.maya.userId)
        .map(({ data }) => (data as { isOwnerOnly?: boolean }).isOwnerOnly ?? false);
    await expect.poll(partGiven).toEqual([true, false]);
  });
});
