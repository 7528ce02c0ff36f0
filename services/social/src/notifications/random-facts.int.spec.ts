import { randomUUID } from '@caravan/contracts/testing/seeded';
import { notificationsSchema } from '@caravan/contracts/http/notifications';
import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import type { notificationDue } from '@caravan/contracts/events/social.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { erasePersonalData } from '@caravan/messaging/consumer/erasure';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { addMember, changeMember, forgetMember } from '../directory/directory.store.ts';
import { writePosts } from '../feed/posts.store.ts';
import { walkWithComments } from '../testing/commented-walk.ts';
import { histories, type Step, ToldModel } from '../testing/notice-histories.ts';
import {
  memberOf,
  movementLogged,
  type SocialUnderTest,
  startSocial,
  type TestMember,
} from '../testing/social-under-test.ts';
import { AnnounceNotices } from './announce-notices.job.ts';
import { type NoticeChange, writeNotices } from './notices.store.ts';
import { NoticeVisibility } from './visibility.service.ts';

let social: SocialUnderTest;
let listener: Listener;
beforeAll(async () => {
  social = await startSocial();
  listener = await listenTo('social', social.env);
});
afterAll(async () => {
  await listener.close();
  await social.close();
});

const names = ['Ada', 'Ben', 'Cleo', 'Dan'];

async function four() {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const members = names.map((name) => memberOf(orgId, teamId, `${name} ${orgId}`));
  const logs = members.slice(0, 2).map((member) => movementLogged(member).data);
  await withSystem(social.pool, async (tx) => {
    for (const { userId, name } of members)
      await addMember(tx, { orgId, userId }, { teamId, name, timeZone: 'UTC', joinedOn: '2026-01-01', role: 'member' });
    await writePosts(
      tx,
      logs.map((log) => ({ is: 'logged', orgId, revision: 1, log })),
    );
  });
  const idOf = (nth: number) => members[nth]?.userId ?? '';
  return { orgId, members, idOf, postOf: (nth: number) => logs[nth]?.logId ?? '' };
}
type Four = Awaited<ReturnType<typeof four>>;

/** As the consumers would; every fact is told twice. */
async function does(tx: Tx, one: Step, { orgId, idOf, postOf }: Four, model: ToldModel): Promise<void> {
  const at = new Date().toISOString();
  const tell = async (...changes: readonly NoticeChange[]) => {
    for (let times = 0; times < 2; times += 1) await writeNotices(tx, changes);
  };
  const raisedNotices = (to: number, kind: NotificationKind) =>
    ({ is: 'raised', orgId, to: { userId: idOf(to) }, kind, at }) as const;
  switch (one.does) {
    case 'cheer': {
      const values = [orgId, postOf(one.post), idOf(one.by)];
      await tx.query(`insert into reactions values ($1, $2, $3, '💪', now()) on conflict do nothing`, values);
      model.cheer(one.by, one.post);
      const actorId = idOf(one.by);
      return tell({ ...raisedNotices(one.post, 'reaction'), subject: postOf(one.post), item: actorId, actorId });
    }
    case 'uncheer':
      await tx.query('delete from reactions where log_id = $1 and user_id = $2', [postOf(one.post), idOf(one.by)]);
      model.uncheer(one.by, one.post);
      return tell({ is: 'touched', orgId, subject: postOf(one.post) });
    case 'comment': {
      if (model.persons[one.by]?.isErased || model.persons[one.post]?.isErased) return undefined;
      const commentId = randomUUID();
      const subject = postOf(one.post);
      const values = [orgId, commentId, subject, idOf(one.by)];
      await tx.query(
        `insert into comments (org_id, comment_id, entry_id, author_id, content, created_at)
        values ($1, $2, $3, $4, '[]', now())`,
        values,
      );
      const about = { subject, item: commentId, actorId: idOf(one.by), facts: { commentId } };
      for (const [to, kind] of [[one.post, 'comment'] as const, [one.mentions, 'mention'] as const]) {
        model.raise({ to, kind, key: `${one.post} ${commentId}`, by: one.by });
        await tell({ ...raisedNotices(to, kind), ...about });
      }
      return undefined;
    }
    case 'follow':
    case 'unfollow': {
      const actorId = idOf(one.by);
      if (one.does === 'follow') {
        model.raise({ to: one.whom, kind: 'follower', key: String(one.by), by: one.by });
        return tell({ ...raisedNotices(one.whom, 'follower'), subject: 'followers', item: actorId, actorId });
      }
      model.withdraw(one.whom, 'follower', String(one.by));
      const whose = { userId: idOf(one.whom), item: actorId };
      return tell({ is: 'withdrawn', orgId, kinds: ['follower'], subject: 'followers', ...whose });
    }
    case 'earn':
      model.raise({ to: one.whom, kind: 'badge', key: one.badge, by: null });
      return tell({
        ...raisedNotices(one.whom, 'badge'),
        subject: 'badges',
        item: one.badge,
        facts: { title: one.badge },
      });
    case 'fail':
      model.raise({ to: one.whom, kind: 'sync-failed', key: one.platform, by: null });
      return tell({ ...raisedNotices(one.whom, 'sync-failed'), subject: one.platform, item: 'today' });
    case 'recover':
      model.withdraw(one.whom, 'sync-failed', one.platform);
      return tell({
        is: 'withdrawn',
        orgId,
        kinds: ['sync-failed'],
        subject: one.platform,
        userId: idOf(one.whom),
      });
    case 'show':
    case 'erase':
    case 'mute':
    case 'read':
    default:
      return undefined;
  }
}

async function happens(one: Step, all: Four, model: ToldModel): Promise<void> {
  const { orgId, idOf, members } = all;
  const person = 'whom' in one ? model.persons[one.whom] : undefined;
  const batch = (tx: Tx) => ({ tx, group: 'test', enqueueWrite: () => undefined, afterCommit: () => undefined });
  const visibility = social.app.get(NoticeVisibility);
  if (one.does === 'show' && person && !person.isErased) {
    Object.assign(person, { activity: one.activity, profile: one.profile });
    const whose = { orgId, userId: idOf(one.whom) };
    await withSystem(social.pool, async (tx) => {
      await changeMember(tx, whose, 'activity_visible = $3, profile_visible = $4', [one.activity, one.profile]);
      await visibility.memberChanged(whose, batch(tx));
    });
  } else if (one.does === 'erase') {
    model.erase(one.whom);
    const whose = { orgId, userId: idOf(one.whom) };
    await withSystem(social.pool, async (tx) => {
      await forgetMember(tx, whose);
      await visibility.memberLeft({ ...whose, at: new Date().toISOString() }, batch(tx));
      await visibility.memberChanged(whose, batch(tx));
    });
  } else if ((one.does === 'mute' || one.does === 'read') && person && !person.isErased) {
    const member = members[one.whom];
    const client = member && (await social.as(member));
    if (one.does === 'read') await client?.post('/api/notifications/read', { all: true });
    else {
      person.muted = one.kinds;
      await client?.put('/api/notifications/mutes', { kinds: one.kinds });
    }
  } else await withSystem(social.pool, (tx) => does(tx, one, all, model));
  await social.app.get(AnnounceNotices).sweep();
}

async function centreOf(member: TestMember) {
  const client = await social.as(member);
  const notifications = notificationsSchema.parse((await client.get('/api/notifications?limit=50')).body);
  const { body } = await client.get('/api/notifications/unread');
  const counts: Record<string, number> = {};
  for (const { kind, count } of notifications) counts[kind] = (counts[kind] ?? 0) + count;
  return { notifications, counts, unread: body['count'] };
}

test('[D18 D34] whatever happens, everybody is told of each thing once, and of nothing that a mute, privacy or an erasure forbids', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const all = await four();
      const model = new ToldModel();
      for (const one of history) await happens(one, all, model);
      for (const [nth, member] of all.members.entries()) {
        const { notifications, counts, unread } = await centreOf(member);
        expect(counts).toEqual(model.countsOf(nth));
        expect(unread).toBe(notifications.filter(({ isRead }) => !isRead).length);
        const secret = all.members.filter(
          (_, other) => model.persons[other]?.isErased || !model.persons[other]?.activity,
        );
        const spoken = notifications.filter(({ kind }) => kind !== 'follower').map(({ text }) => text);
        for (const { name } of secret) expect(spoken.join()).not.toContain(name);
      }
      // What others were told: each notice more than before, or something else than before.
      const told = listener.heard.filter(({ orgId, type }) => orgId === all.orgId && type === 'NotificationDue');
      for (const facts of Map.groupBy(told, ({ data }) => (data as Due).noticeId).values()) {
        const said = facts.map(({ data }) => `${(data as Due).count} ${(data as Due).text}`);
        expect(said.filter((text, index) => text === said[index - 1])).toEqual([]);
      }
    }),
    { numRuns: 12 },
  );
  expect(listener.heard.filter(({ type }) => type === 'NotificationDue').length).toBeGreaterThan(10);
});

test('[D34] of a platform its member alone is told: what came from it, and that it cannot be read, until it can', async () => {
  const { maya, omar, orgId } = await walkWithComments(social);
  const at = new Date().toISOString();
  const say = async (type: string, data: object) => {
    const fact = {
      type,
      version: 1,
      orgId,
      key: maya.userId,
      data: { userId: maya.userId, source: 'strava', ...data },
    };
    await social.integrations.redeliver(...(await social.integrations.publish(fact, fact)));
  };
  const bell = async () => (await centreOf(maya)).notifications;
  const kinds = async () => (await bell()).map(({ kind }) => kind).toSorted();
  const text = 'Strava has to be connected again: until then no workouts come';
  await say('SyncFailed', { why: 'reconnect', failedAt: at });
  await expect.poll(bell).toMatchObject([{ kind: 'sync-failed', text, count: 1, link: '/settings#fitness-devices' }]);
  const publishedNotices = () =>
    listener.heard.filter(({ type, key }) => type === 'NotificationDue' && key === maya.userId);
  await expect.poll(() => publishedNotices().map(({ data }) => data)).toMatchObject([{ kind: 'sync-failed', text }]);
  await say('FirstSyncCompleted', { workouts: 12, completedAt: at });
  await expect
    .poll(bell)
    .toMatchObject([{ text: 'Your 12 workouts from Strava are here', link: '/settings/workouts' }]);
  await say('SyncFailed', { why: 'busy', failedAt: at });
  await expect.poll(kinds).toEqual(['import-ready', 'sync-failed']);
  await say('SyncRecovered', { recoveredAt: at });
  await expect.poll(kinds).toEqual(['import-ready']);
  await say('PlatformDisconnected', { why: 'asked', areImportsRemoved: true, disconnectedAt: at });
  await expect.poll(kinds).toEqual([]);
  expect((await centreOf(omar)).notifications).toEqual([]);
});

test('[D21 D24 D34] a member is notified when imports are gone at their platform and had earned something', async () => {
  const { maya, omar, orgId } = await walkWithComments(social);
  const at = new Date().toISOString();
  const say = async (type: string, ...told: readonly object[]) => {
    const facts = told.map((data) => ({
      type,
      version: 1,
      orgId,
      key: maya.userId,
      data: { userId: maya.userId, ...data },
    }));
    await social.integrations.redeliver(...(await social.integrations.publish(...facts)));
  };
  const texts = async () => (await centreOf(maya)).notifications.map(({ text }) => text);
  const retractedData = (goneAt?: object) => ({ logId: randomUUID(), why: 'deleted', retractedAt: at, goneAt });
  const scored = { platform: 'strava', isScored: true };
  const unscored = { platform: 'fitbit', isScored: false };
  await say('WorkoutRetracted', retractedData(), retractedData(unscored), retractedData(scored), retractedData(scored));
  await expect.poll(texts).toEqual(['2 workouts were deleted at Strava: what they earned is taken back']);
  const ended = { source: 'strava', areImportsRemoved: true, disconnectedAt: at };
  await say('PlatformDisconnected', { ...ended, why: 'asked' }, { ...ended, why: 'revoked', areImportsRemoved: false });
  await say('PlatformDisconnected', { ...ended, why: 'revoked' });
  await expect
    .poll(async () => (await texts()).toSorted())
    .toEqual([
      '2 workouts were deleted at Strava: what they earned is taken back',
      'Strava was disconnected there: what came from it and what that earned is taken back',
    ]);
  expect((await centreOf(omar)).notifications).toEqual([]);
});

test('[S25 D43] whoever is erased is not named by notices that stand still on their way', async () => {
  const orgId = randomUUID();
  const userId = randomUUID();
  const named = randomUUID();
  const data = {
    noticeId: randomUUID(),
    userId,
    kind: 'reaction',
    text: 'Secret cheered',
    namedIds: [named],
    link: '/feed',
    count: 1,
    raisedAt: new Date().toISOString(),
    expiresAt: null,
  };
  const about = { orgId, key: userId, positions: {}, actorId: null, occurredAt: data.raisedAt };
  const envelope = { ...about, id: randomUUID(), type: 'NotificationDue', version: 1, position: 1, data };
  await social.asSystem(
    `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, value, error_code,
       error_message) values ('a', 'social', $1, 'b', 0, 0, $2, 'c', 'd')`,
    [userId, Buffer.from(JSON.stringify(envelope))],
  );
  await social.asSystem(
    `insert into es.refused (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
     values (1, 0, $1, $2, $3, 'NotificationDue', 1, $4, '{}', now())`,
    [userId, randomUUID(), orgId, JSON.stringify(data)],
  );
  await withSystem(social.pool, (tx) => erasePersonalData(tx, [{ orgId, userId: named }]));
  const { rows } = await social.asSystem(
    `select convert_from(value, 'UTF8') as said from msg.parked where key = $1
     union all select data::text from es.refused where partition_key = $1`,
    [userId],
  );
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(JSON.stringify(row)).toContain('Something happened');
  await social.asSystem('delete from msg.parked where key = $1', [userId]);
  await social.asSystem('delete from es.refused where partition_key = $1', [userId]);
});

type Due = z.infer<typeof notificationDue.data>;
