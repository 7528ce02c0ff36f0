import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { earnedBadgesSchema, galleryBadgesSchema } from '@caravan/contracts/http/badges';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { badgeEarned } from '@caravan/contracts/events/scoring.events';
import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import { publishTogether } from '@caravan/event-store/core/publish-together';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  memberErased,
  minPosition,
  movementCorrected,
  movementLogged,
  startScoring,
} from '../testing/scoring-under-test.ts';
import { checkpointArrival, reactionGiven, voteCast } from '../testing/badge-facts.ts';
import { AwardDueBadges } from './award-due-badges.job.ts';
import type { ScoringUnderTest, TestLog, TestMember } from '../testing/scoring-under-test.ts';

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

async function one() {
  const org = await scoring.foundOrganisation(['Maya', 'Omar']);
  const [maya, omar] = org.members;
  if (!maya || !omar) throw new Error('two members');
  return { ...org, maya, omar };
}

/** Logs all of it, delivers all of it again, and reads the badges that came of it. */
async function afterLogging(member: TestMember, ...logs: readonly Partial<TestLog>[]) {
  const said = await scoring.log(member, ...logs);
  await scoring.activity.redeliver(...said);
  return gallery(member, minPosition('activity', said));
}

async function gallery(member: TestMember, header: Record<string, string> = {}) {
  const api = await scoring.as(member);
  const body = await eventually(async () => {
    const answer = await api.get('/api/badges/all', header);
    expect([answer.status, answer.headers.get('x-stale')]).toEqual([200, null]);
    return answer.body;
  });
  // The team of whoever moves is on its way at the same time; its badges come by another message.
  const badges = galleryBadgesSchema.parse(body).filter(({ category }) => category !== 'Journey');
  return {
    earned: badges.filter(({ isEarned }) => isEarned).map(({ badgeId }) => badgeId),
    of: (id: string) => badges.find(({ badgeId }) => badgeId === id),
  };
}

const publishedBadges = (member: TestMember) =>
  listener.heard
    .filter(({ type, key }) => type === 'BadgeEarned' && key === member.userId)
    .map(({ data }) => badgeEarned.data.parse(data).badgeId)
    .filter((badgeId) => badgeId !== 'first-checkpoint');

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
/** Of a day that is the same in UTC and Berlin, before and after the movement. */
const noon = (days: number) => new Date(`${localDateOf(daysAgo(days), 'UTC')}T10:00:00.000Z`);

describe('a log', () => {
  test('[2.94 3.42 7.28 D13] earns its badges at once; the others say how far it is', async () => {
    const { maya, omar } = await one();
    const first = await afterLogging(maya, { centimiles: 950 });
    expect(first.earned).toEqual(['first-log', 'mile-1']);
    expect(first.of('miles-10')?.progress).toEqual({ current: 9.5, target: 10, progressText: '9.5 of 10 miles' });
    expect(first.of('streak-3')?.progress.progressText).toBe('1 of 3 days');
    expect(first.of('logs-10')?.progress.progressText).toBe('1 of 10 logs');
    const second = await afterLogging(maya, { centimiles: 50 });
    expect(second.earned).toEqual(['first-log', 'mile-1', 'miles-10']);
    const earnedAt = Date.parse(second.of('miles-10')?.dateEarned ?? '');
    expect(Date.now() - earnedAt).toBeLessThan(60_000);
    expect((await gallery(omar)).earned).toEqual([]);
  });

  test('[3.41 4.37 7.27 D13] earns each once, however often it is delivered, and says so once', async () => {
    const { maya } = await one();
    const logs = [1, 2, 3].map(() => movementLogged(maya, { centimiles: 400 }));
    const said = await scoring.activity.publish(...logs);
    await scoring.activity.redeliver(...said, ...said.toReversed());
    const again = await scoring.activity.publish(...logs);
    const ada = await scoring.as(maya);
    const { body } = await ada.get('/api/user/badges', minPosition('activity', again));
    const names = earnedBadgesSchema.parse(body).map(({ badgeName }) => badgeName);
    expect(names.filter((name) => name !== 'Waymarker').toSorted()).toEqual(['First Mile', 'First Steps', 'Ten Miler']);
    await eventually(async () => expect(publishedBadges(maya).toSorted()).toEqual(['first-log', 'mile-1', 'miles-10']));
  });

  test('[D13] of a fifth activity makes an all-rounder, whatever its case; of the tenth log a badge', async () => {
    const { maya } = await one();
    const types = ['Walking', 'walking', 'Running', 'Yoga', 'YOGA', 'Dancing'];
    const before = await afterLogging(maya, ...types.map((activityType) => ({ activityType, centimiles: 10 })));
    expect(before.of('activities-5')?.progress.progressText).toBe('4 of 5 activities');
    const after = await afterLogging(maya, { activityType: 'Juggling', centimiles: 10 });
    expect(after.earned).toContain('activities-5');
    expect(after.earned).not.toContain('logs-10');
    for (const nth of [8, 9])
      expect((await afterLogging(maya, { centimiles: 10 })).earned, `${nth}`).not.toContain('logs-10');
    expect((await afterLogging(maya, { centimiles: 10 })).earned).toContain('logs-10');
  });

  test('[D11 D13] that closes a gap earns the streak of all the days together', async () => {
    const { maya } = await one();
    const days = [6, 5, 4, 2, 1, 0].map((ago) => ({ startedAt: daysAgo(ago), centimiles: 10 }));
    const before = await afterLogging(maya, ...days);
    expect(before.earned).toContain('streak-3');
    expect(before.earned).not.toContain('streak-7');
    expect((await afterLogging(maya, { startedAt: daysAgo(3), centimiles: 10 })).earned).toContain('streak-7');
  });

  test('[D35] that earns a badge tells the pages of its owner, and nobody else’s', async () => {
    const { maya, orgId } = await one();
    const pages = await listenLive(scoring.env, orgId);
    await afterLogging(maya, {});
    await eventually(async () => expect(pages.kinds).toContain(`badges of ${maya.userId}`));
    expect(pages.kinds).not.toContain('badges');
    await pages.close();
  });
});

describe('a history', () => {
  test('[4.37] entered later earns badges of the day on which they were earned, so that nothing pops up', async () => {
    const { maya } = await one();
    const logs = [40, 39, 38].map((ago) => ({ startedAt: daysAgo(ago), centimiles: 400 }));
    const { earned, of } = await afterLogging(maya, ...logs);
    expect(earned).toEqual(['first-log', 'mile-1', 'miles-10', 'streak-3']);
    for (const id of earned) {
      const ago = Math.round((Date.now() - Date.parse(of(id)?.dateEarned ?? '')) / 86_400_000);
      expect([38, 39, 40], id).toContain(ago);
    }
  });

  test('[4.37 D13] that nobody has looked at shows its badges when they are asked for, and earns them by a job, dated as they were met', async () => {
    const { maya, orgId } = await one();
    await afterLogging(maya, ...[30, 20, 10].map((ago) => ({ startedAt: noon(ago), centimiles: 391 + ago })));
    const badgeIds = () => scoring.rows(orgId, 'select badge_id as id from member_badges where org_id = $1');
    // Of the journey it comes by itself, and would be half forgotten if it came meanwhile.
    await eventually(async () => expect(await badgeIds()).toContainEqual({ id: 'first-checkpoint' }));
    // As it is for members who moved before there were badges.
    await scoring.asSystem('delete from member_badges where org_id = $1', [orgId]);
    await scoring.asSystem('update credited_movements set ended_at = now() where org_id = $1 and centimiles = 401', [
      orgId,
    ]);
    const owner = createPatientPool(scoring.ownerUrl);
    await withSystem(owner, (tx) => tx.query('delete from es.events where stream_id = $1', [`badges-${maya.userId}`]));
    await owner.end();
    const { earned, of } = await gallery(maya);
    expect(earned).toEqual(['first-log', 'mile-1', 'miles-10']);
    const on = (id: string) => of(id)?.dateEarned?.slice(0, 10);
    const day = (ago: number) => noon(ago).toISOString().slice(0, 10);
    expect([on('first-log'), on('mile-1'), on('miles-10')]).toEqual([day(30), day(30), day(10)]);
    expect(await badgeIds()).toEqual([]);
    await scoring.asSystem('update organisations set badges_due_at = now() where org_id = $1', [orgId]);
    await scoring.app.get(AwardDueBadges).award();
    expect(await badgeIds()).toHaveLength(3);
    expect((await gallery(maya)).of('miles-10')?.dateEarned).toBe(of('miles-10')?.dateEarned);
    expect(await scoring.rows(orgId, 'select badges_due_at as due from organisations where org_id = $1')).toEqual([
      { due: null },
    ]);
  });
});

test('[D13] who was erased earns nothing any more', async () => {
  const { maya, orgId } = await one();
  await afterLogging(maya, { centimiles: 100 });
  await scoring.tell(orgId, memberErased(maya));
  await eventually(async () => {
    expect(await scoring.rows(orgId, 'select from members where org_id = $1 and is_erased')).toHaveLength(1);
  });
  const late = await scoring.log(maya, { centimiles: 5_000 });
  await gallery(maya, minPosition('activity', late));
  const ofLogs = `select badge_id as id from member_badges where org_id = $1 and badge_id <> 'first-checkpoint' order by 1`;
  expect(await scoring.rows(orgId, ofLogs)).toEqual([{ id: 'first-log' }, { id: 'mile-1' }]);
});

test('[S18] nobody asks without a session, and of another organisation nothing counts', async () => {
  expect((await scoring.nobody.get('/api/user/badges')).status).toBe(401);
  expect((await scoring.nobody.get('/api/badges/all')).status).toBe(401);
  const { maya } = await one();
  await afterLogging(maya, {});
  expect((await gallery({ ...maya, orgId: randomUUID() })).earned).toEqual([]);
});

test('[2.94 D13 D40] the first reaction earns the Cheerleader at once and once, taken back or not; somebody erased gets none', async () => {
  const { orgId, maya, omar } = await one();
  const social = await startPeerService('social', scoring.env);
  const pages = await listenLive(scoring.env, orgId);
  const said = await social.publish(reactionGiven(maya), reactionGiven(maya), reactionGiven(maya));
  await social.redeliver(...said, ...said.toReversed());
  const badges = await gallery(maya, minPosition('social', said));
  expect([badges.earned, badges.of('first-reaction')?.badgeName]).toEqual([['first-reaction'], 'Cheerleader']);
  await eventually(() => expect([...pages.kinds]).toContain(`badges of ${maya.userId}`));
  await gallery(omar, await scoring.tell(orgId, memberErased(omar)));
  await gallery(omar, minPosition('social', await social.publish(reactionGiven(omar))));
  expect(await scoring.rows(orgId, 'select from member_badges where org_id = $1')).toHaveLength(1);
  await eventually(() => expect(publishedBadges(maya)).toEqual(['first-reaction']));
  expect(publishedBadges(omar)).toEqual([]);
  await Promise.all([pages.close(), social.close()]);
});

test('[2.94 D40] a reaction to an own post earns no Cheerleader, and one to a teammate’s does', async () => {
  const { maya } = await one();
  const social = await startPeerService('social', scoring.env);
  const given = reactionGiven(maya);
  const own = { ...given, data: { ...given.data, authorId: maya.userId } };
  const badgesAfter = async (...facts: readonly (typeof given)[]) =>
    (await gallery(maya, minPosition('social', await social.publish(...facts)))).earned;
  expect(await badgesAfter(own, own)).toEqual([]);
  expect(await badgesAfter(reactionGiven(maya))).toEqual(['first-reaction']);
  await social.close();
});

test('[D33] members who get a badge of the road are locked at once, in one order: who waits for one holds no other', async () => {
  const { orgId, maya, omar } = await one();
  const owner = createPatientPool(scoring.ownerUrl, { max: 1 });
  const another = await owner.connect();
  try {
    const { rows } = await another.query<{ id: string }>(
      'select id from unnest($1::text[]) id order by hashtextextended(id, 0)',
      [[maya.userId, omar.userId]],
    );
    const [first = '', last = ''] = rows.map(({ id }) => id);
    await another.query('begin');
    await another.query('select es.lock_keys($1)', [[first]]);
    await withSystem(scoring.pool, (tx) =>
      publishTogether(tx, [checkpointArrival(maya, [last]), checkpointArrival(maya, [first])]),
    );
    const waiting = `select from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and not granted and datname = current_database()`;
    await eventually(async () => expect((await another.query(waiting)).rows).toHaveLength(1));
    // Less than the second after which PostgreSQL ends one of a circle by itself.
    await another.query('set local lock_timeout = 200');
    await another.query('select es.lock_keys($1)', [[last]]);
    await another.query('commit');
  } finally {
    another.release(true);
    await owner.end();
  }
  const earned = `select from member_badges where org_id = $1 and badge_id = 'first-checkpoint'`;
  await eventually(async () => expect(await scoring.rows(orgId, earned)).toHaveLength(2));
});

describe('a vote for the team’s name', () => {
  test('[D13 D20] earns the Name Giver at once and once; somebody erased gets none', async () => {
    const { orgId, maya, omar } = await one();
    const social = await startPeerService('social', scoring.env);
    const votes = await social.publish(voteCast(maya), voteCast(maya));
    await social.redeliver(...votes);
    const badges = await gallery(maya, { 'x-min-position': `social:${votes[1]?.position}` });
    expect([badges.earned, badges.of('team-name-voted')?.badgeName]).toEqual([['team-name-voted'], 'Name Giver']);
    await gallery(maya, await scoring.tell(orgId, memberErased(omar)));
    const [vote] = await social.publish(voteCast(omar));
    await gallery(omar, { 'x-min-position': `social:${vote?.position}` });
    await eventually(() => expect([publishedBadges(maya), publishedBadges(omar)]).toEqual([['team-name-voted'], []]));
    await social.close();
  });
});

test('[D13] a reaction and a vote that come together earn both badges, in whichever order, and each once', async () => {
  const { maya, omar } = await one();
  const social = await startPeerService('social', scoring.env);
  const said = await social.publish(reactionGiven(maya), voteCast(maya), voteCast(omar), reactionGiven(omar));
  await social.redeliver(...said, ...said.toReversed());
  for (const member of [maya, omar]) {
    const own = said.filter(({ key }) => key === member.userId);
    const { earned } = await gallery(member, minPosition('social', own));
    expect(earned.toSorted()).toEqual(['first-reaction', 'team-name-voted']);
    await eventually(() => expect(publishedBadges(member).toSorted()).toEqual(['first-reaction', 'team-name-voted']));
  }
  await social.close();
});

describe('a log with a photo', () => {
  const photoPath = `/objects/photos/${randomUUID()}`;
  const logWithPhoto = (member: TestMember) => {
    const { data, ...about } = movementLogged(member);
    return { ...about, data: { ...data, photoPath } };
  };

  test('[D13] says cheese with the first one, a moment later and once; somebody erased earns nothing', async () => {
    const { orgId, maya, omar } = await one();
    const pages = await listenLive(scoring.env, orgId);
    const said = await scoring.activity.publish(movementLogged(maya), logWithPhoto(maya), logWithPhoto(maya));
    await scoring.activity.redeliver(...said, ...said.toReversed());
    await gallery(maya, minPosition('activity', said));
    await eventually(async () => expect((await gallery(maya)).earned).toContain('first-photo'));
    const badges = await gallery(maya);
    expect(badges.earned.toSorted()).toEqual(['first-log', 'first-photo', 'mile-1']);
    expect(badges.of('first-photo')).toMatchObject({ badgeName: 'Say Cheese', progress: { current: 1, target: 1 } });
    await eventually(() => expect([...pages.kinds]).toContain(`badges of ${maya.userId}`));
    await gallery(omar, await scoring.tell(orgId, memberErased(omar)));
    const [late] = await scoring.activity.publish(logWithPhoto(omar));
    const applied = `select position from msg.recorded_at(array['scoring.award-photo-badges'], $1, array['activity'])`;
    await eventually(async () =>
      expect((await scoring.asSystem(applied, [[omar.userId]])).rows).toEqual([{ position: late?.position }]),
    );
    await eventually(() => expect(publishedBadges(maya).filter((id) => id === 'first-photo')).toHaveLength(1));
    expect(publishedBadges(omar)).not.toContain('first-photo');
    await pages.close();
  });

  test('[D13] that a correction added says cheese as well, and keeps it when it is taken away', async () => {
    const { maya } = await one();
    const log = movementLogged(maya);
    const added = movementCorrected(log, {});
    const withPhoto = { ...added, data: { ...added.data, photoPath } };
    const without = movementCorrected(log, {}, 3);
    const said = await scoring.activity.publish(log, withPhoto, without, withPhoto);
    await gallery(maya, minPosition('activity', said));
    await eventually(async () => expect((await gallery(maya)).earned).toContain('first-photo'));
  });
});
