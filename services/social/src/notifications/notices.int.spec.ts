import { randomUUID } from '@caravan/contracts/testing/seeded';
import { notificationsSchema } from '@caravan/contracts/http/notifications';
import { versionOf } from '@caravan/contracts/domain/version';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import type { Answer } from '@caravan/service-kit/testing/api-client';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EndBallots } from '../ballots/end-ballots.job.ts';
import { ballotsOf, foundTeams, inHours } from '../testing/ballots-under-test.ts';
import { walkWithComments, writeComment } from '../testing/commented-walk.ts';
import { badgeEarned, noticesDue, noticesSettled, notificationsOf } from '../testing/notice-facts.ts';
import {
  memberErased,
  memberJoined,
  memberOf,
  privacyChosen,
  type SocialUnderTest,
  startSocial,
  type TestMember,
} from '../testing/social-under-test.ts';
import { keptDays, SweepNotices } from './sweep-notices.job.ts';

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

const bellOf = async (member: TestMember) => notificationsOf(await social.as(member));
const textsOf = async (member: TestMember) => (await bellOf(member)).map(({ text }) => text).toSorted();
const unreadOf = async (member: TestMember) =>
  (await (await social.as(member)).get('/api/notifications/unread')).body['count'];
const cheer = async (member: TestMember, movementLogId: string, emoji = '💪') =>
  (await social.as(member)).post('/api/feed/react', { movementLogId, emoji });

const dueOf = ({ userId }: TestMember) => noticesDue(listener, userId);
const settledOf = ({ userId }: TestMember) => noticesSettled(listener, userId);

describe('what colleagues do', () => {
  test('[D34 D53] is told as one until it is read, to others than who did it, and once however often it is told', async () => {
    const { maya, omar, lena, postId, orgId } = await walkWithComments(social);
    const pages = await listenLive(social.env, orgId);
    for (const member of [omar, lena, maya]) await cheer(member, postId);
    await cheer(omar, postId, '🙌');
    await expect
      .poll(() => textsOf(maya))
      .toEqual([expect.stringMatching(/^(Lena|Omar) \w+ and 1 other cheered your walk$/)]);
    expect(await bellOf(maya)).toMatchObject([
      { kind: 'reaction', link: `/feed/${postId}`, isRead: false, count: 2, createdAt: expect.any(String) },
    ]);
    expect(await unreadOf(maya)).toBe(1);
    await expect.poll(() => [...pages.kinds]).toContain(`notifications of ${maya.userId}`);
    expect([...pages.kinds]).not.toContain('notifications');
    await pages.close();
    await expect.poll(() => dueOf(maya).at(-1)).toMatchObject({ kind: 'reaction', count: 2, link: `/feed/${postId}` });
    expect(new Set(dueOf(maya).map(({ noticeId }) => noticeId)).size).toBe(1);
    const given = listener.heard.filter(({ type, key }) => type === 'ReactionGiven' && key === omar.userId);
    expect(given).toHaveLength(2);
    for (const member of [omar, lena]) expect(await bellOf(member)).toEqual([]);

    await (await social.as(maya)).post('/api/notifications/read', { all: true });
    await cheer(omar, postId);
    await cheer(omar, postId, '🙌');
    await expect.poll(() => textsOf(maya)).toEqual(['Lena Fischer cheered your walk']);
    await cheer(omar, postId);
    await expect.poll(() => textsOf(maya)).toEqual([expect.stringContaining('and 1 other')]);
    expect(await unreadOf(maya)).toBe(0);
    expect(dueOf(maya).filter(({ count }) => count > 2)).toEqual([]);
  });

  test('[D18] shows no name that its owner hides, and goes with the reaction, the comment and the post', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena, postId, tell, write, hide } = walk;
    await cheer(omar, postId);
    const { id } = await writeComment(walk, omar);
    await write(lena, 'Well done, @Maya Okafor and @Omar Haddad', { mentions: [maya.userId, omar.userId] });
    await expect
      .poll(() => textsOf(maya))
      .toEqual([
        'Lena Fischer mentioned you in a comment',
        'Omar Haddad cheered your walk',
        'Omar Haddad commented on your walk',
      ]);
    const [mention] = await bellOf(omar);
    expect(mention).toMatchObject({ kind: 'mention', text: 'Lena Fischer mentioned you in a comment' });
    expect(mention?.link).toMatch(new RegExp(`^/feed/${postId}#`));
    await expect.poll(() => dueOf(maya)).toHaveLength(3);
    for (const { namedIds } of dueOf(maya)) expect(namedIds).toHaveLength(1);

    await hide(maya, id, 'Not kind');
    await tell(privacyChosen(omar, { activityVisible: false }));
    expect(await textsOf(maya)).toEqual(['A teammate cheered your walk', 'Lena Fischer mentioned you in a comment']);
    await expect.poll(() => dueOf(maya).at(-1)).toMatchObject({ text: 'A teammate cheered your walk', namedIds: [] });
    await expect.poll(() => settledOf(maya)).toMatchObject([{ why: 'withdrawn' }]);

    await tell(privacyChosen(maya, { activityVisible: false }));
    expect(await bellOf(omar)).toEqual([]);
    expect(await unreadOf(omar)).toBe(0);
    await expect.poll(() => settledOf(omar)).toMatchObject([{ noticeIds: [mention?.id], why: 'withdrawn' }]);

    const { data, ...about } = walk.fact;
    const removed = { ...about, type: 'MovementRemoved', data: { ...data, removedAt: new Date().toISOString() } };
    await social.activity.publish(removed, removed);
    await expect.poll(() => textsOf(maya)).toEqual([]);
    expect(await unreadOf(maya)).toBe(0);
  });

  test('[D3 D34 D50] of a comment that an admin hides goes, and is back when it is shown again, in open pages too', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, orgId } = walk;
    const { id } = await writeComment(walk, omar);
    await expect.poll(() => unreadOf(maya)).toBe(1);
    await expect.poll(() => dueOf(maya)).toHaveLength(1);
    await walk.hide(maya, id, 'By mistake');
    await expect.poll(() => settledOf(maya)).toHaveLength(1);
    expect(await unreadOf(maya)).toBe(0);
    const pages = await listenLive(social.env, orgId);
    await (await social.as(maya, { role: 'admin' })).post(`/api/feed/comments/${id}/show`, {});
    await expect.poll(() => [...pages.kinds]).toContain(`notifications of ${maya.userId}`);
    await pages.close();
    expect(await textsOf(maya)).toEqual(['Omar Haddad commented on your walk']);
    expect(await unreadOf(maya)).toBe(1);
    // Mail and push have told it once.
    expect(dueOf(maya)).toHaveLength(1);
  });

  test('[D18 D34] of a rank that is lost names who passed while they show their figures', async () => {
    const { maya, omar, tell } = await walkWithComments(social);
    await (await social.as(maya)).put('/api/notifications/mutes', { kinds: [] });
    const lostAt = new Date().toISOString();
    const lost = { type: 'RankLost', version: 1, orgId: maya.orgId, key: maya.userId };
    const data = { userId: maya.userId, byUserId: omar.userId, rank: 2, lostAt };
    await social.scoring.redeliver(...(await social.scoring.publish({ ...lost, data })));
    await expect.poll(() => textsOf(maya)).toEqual(['Omar Haddad passed you: number 2 is theirs now']);
    await expect.poll(() => dueOf(maya)).toMatchObject([{ namedIds: [omar.userId] }]);
    for (const hidden of [{ statsVisible: false }, { profileVisible: false }]) {
      await tell(privacyChosen(omar, hidden));
      expect(await textsOf(maya)).toEqual(['A colleague passed you: number 2 is theirs now']);
    }
    await expect.poll(() => dueOf(maya).at(-1)).toMatchObject({ namedIds: [], count: 1 });
  });

  test('[D50] of a comment that is edited tells whom it mentions now', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const text = 'Look, @Lena Fischer';
    const { body } = await walk.write(omar, text, { mentions: [lena.userId] });
    await expect.poll(() => textsOf(lena)).toEqual(['Omar Haddad mentioned you in a comment']);
    await walk.edit(omar, body.id, 'Look');
    await expect.poll(() => textsOf(lena)).toEqual([]);
    expect(await textsOf(maya)).toEqual(['Omar Haddad commented on your walk']);
    await (await social.as(omar)).delete(`/api/feed/comments/${body.id}`);
    await expect.poll(() => textsOf(maya)).toEqual([]);
  });

  test('[S18 D34] of an erased member names nobody, and whoever is erased or deactivated is told nothing', async () => {
    const { maya, omar, lena, postId, tell, orgId } = await walkWithComments(social);
    await cheer(omar, postId);
    await expect.poll(() => textsOf(maya)).toEqual(['Omar Haddad cheered your walk']);
    await tell(memberErased(omar));
    await expect.poll(() => textsOf(maya)).toEqual(['A former member cheered your walk']);
    await expect.poll(() => dueOf(maya).at(-1)?.text).toBe('A former member cheered your walk');
    const deactivatedAt = new Date().toISOString();
    await tell({ type: 'MemberDeactivated', data: { userId: maya.userId, teamId: maya.teamId, deactivatedAt } });
    await cheer(lena, postId);
    await social.scoring.publish(badgeEarned(maya), badgeEarned(lena));
    await expect.poll(() => textsOf(lena)).toEqual(['You earned the badge Early Bird']);
    expect(await social.rows(orgId, `select from notices where org_id = $1 and user_id = '${maya.userId}'`)).toEqual(
      [],
    );
    expect(await tenancyOf(social.pool, orgId)).toMatchObject({ unguarded: [], leaking: [] });
  });
});

describe('what is told to many', () => {
  test('[D34] reaches everybody or the team, and the same fact told again nobody', async () => {
    const { orgId, thunder, maya, omar, zoe, header } = await foundTeams(social);
    await (await social.as(maya)).get('/api/feed/all', header);
    const openedAt = new Date().toISOString();
    const challengeId = randomUUID();
    const about = { version: 1, orgId, key: orgId };
    const challenge = {
      strategy: 'competitive',
      description: 'Go',
      activityType: 'Running',
      targetDurationMinutes: 30,
    };
    const opened = {
      ...about,
      type: 'BonusChallengeOpened',
      data: { ...challenge, challengeId, title: 'Dawn run', multiplier: 2, openedAt, expiresAt: inHours(48) },
    };
    const reachedFact = (name: string, isLast = false) => ({
      ...about,
      type: 'CheckpointReached',
      data: {
        journeyId: challengeId,
        routeId: 'x',
        routeName: 'the Wall',
        teamId: thunder,
        checkpointName: name,
        mileMark: 1,
        isLast,
        reachedAt: openedAt,
        contributors: [],
      },
    });
    const stale = { ...opened.data, challengeId: randomUUID(), openedAt: '2026-01-05T08:00:00.000Z' };
    const said = await social.scoring.publish(opened, { ...opened, data: stale }, opened, reachedFact('Chester'));
    await social.scoring.redeliver(...said);
    await expect.poll(() => textsOf(omar)).toEqual(['New bonus challenge: Dawn run', 'Thunder reached Chester']);
    expect(await textsOf(zoe)).toEqual(['New bonus challenge: Dawn run']);
    const ends = await social.scoring.publish(reachedFact('Hexham'), reachedFact('Bowness', true));
    await expect.poll(() => textsOf(zoe)).toContain('Thunder reached Bowness, the end of the Wall');
    const closed = { challengeId, completedCount: 0, closedAt: new Date().toISOString() };
    await social.scoring.publish({ ...about, type: 'BonusChallengeClosed', data: closed });
    await expect.poll(() => textsOf(maya)).toHaveLength(1);
    expect(await bellOf(maya)).toMatchObject([{ kind: 'checkpoint', count: 3 }]);
    // Whichever of them counts as the newest: all are of one instant.
    const entries = [...said, ...ends].map(({ id }) => `/feed/${id}`);
    await expect.poll(async () => entries.includes((await bellOf(maya))[0]?.link ?? '')).toBe(true);
    await social.asSystem('delete from checkpoint_entries where org_id = $1', [orgId]);
    expect(await bellOf(maya)).toMatchObject([{ link: '/journey' }]);
  });

  test('[D20 D34] of a ballot hears its team, within a day of its end whoever has not voted, and then which name it has', async () => {
    const found = await foundTeams(social);
    const { orgId, thunder, maya, omar, zoe } = found;
    const { open, vote } = ballotsOf(social, found);
    const sweep = (hours: number) => social.app.get(SweepNotices).sweepAt(new Date(inHours(hours)));
    const { id: ballotId } = await open(thunder, { names: ['Otters', 'Foxes', 'Herons'], endsAt: inHours(72) });
    const asked = 'Your team votes on its name: choose one';
    await expect.poll(() => textsOf(omar)).toEqual([asked]);
    expect(await bellOf(zoe)).toEqual([]);
    await sweep(40);
    expect(await bellOf(omar)).toHaveLength(1);
    await vote(maya, { teamId: thunder, chosenName: 'Foxes' });
    await expect.poll(() => bellOf(maya)).toEqual([]);
    await sweep(50);
    await sweep(51);
    expect(await textsOf(omar)).toEqual(['Voting on your team’s name ends within a day', asked]);
    expect(await bellOf(maya)).toEqual([]);
    await social.app.get(EndBallots).endDueAt(new Date(inHours(73)));
    const data = { teamId: thunder, ballotId, place: 0, name: 'Foxes' };
    await social.tell(orgId, { type: 'TeamNamedByBallot', data });
    const text = 'The vote is decided: your team is called Foxes now';
    for (const member of [maya, omar]) await expect.poll(() => textsOf(member)).toEqual([text]);
    expect(await social.rows(orgId, `select from notices where org_id = $1 and user_id = '${zoe.userId}'`)).toEqual([]);
  });
});

describe('in one’s own centre', () => {
  test('[D53] another’s notification is none, and then none is marked; one’s own are read on every device', async () => {
    const { maya, omar } = await walkWithComments(social);
    await social.scoring.publish(badgeEarned(maya), badgeEarned(omar));
    for (const person of [maya, omar]) await expect.poll(() => bellOf(person)).toHaveLength(1);
    const [own] = await bellOf(maya);
    const [others] = await bellOf(omar);
    const client = await social.as(maya);
    const read = (body: object) => client.post('/api/notifications/read', body);
    for (const id of [others?.id, randomUUID()])
      expect(await read({ ids: [own?.id, id] })).toMatchObject({
        status: 404,
        body: { code: 'notifications/not-found' },
      });
    expect([await unreadOf(maya), await unreadOf(omar)]).toEqual([1, 1]);
    for (const body of [{}, { ids: [] }, { ids: ['x'] }, { all: false }]) expect((await read(body)).status).toBe(422);
    const answer = await read({ ids: [own?.id, own?.id] });
    expect(answer).toMatchObject({ status: 200, body: { count: 0 } });
    expect(answer.headers.get('x-event-position')).toMatch(/^social:/);
    expect(await read({ all: true })).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await bellOf(maya)).toMatchObject([{ id: own?.id, isRead: true }]);
    await expect
      .poll(() => settledOf(maya))
      .toEqual([{ userId: maya.userId, noticeIds: [own?.id], why: 'read', settledAt: expect.any(String) }]);
    expect([await unreadOf(omar), settledOf(omar)]).toEqual([1, []]);
  });

  test('[D34 D38] a muted kind tells nothing any more, and what there was of it counts as read', async () => {
    const { maya, omar, postId } = await walkWithComments(social);
    const client = await social.as(maya);
    expect((await client.get('/api/notifications/mutes')).body).toEqual({ kinds: ['rank-lost'] });
    const seen = { 'if-match': versionOf({ kinds: ['rank-lost'] }) };
    await social.scoring.publish(badgeEarned(maya));
    await expect.poll(() => dueOf(maya)).toHaveLength(1);
    expect(await unreadOf(maya)).toBe(1);
    expect((await client.put('/api/notifications/mutes', { kinds: ['nonsense'] })).status).toBe(422);
    const muted = await client.put('/api/notifications/mutes', { kinds: ['badge', 'badge'] }, seen);
    expect([muted.body, await unreadOf(maya)]).toEqual([{ kinds: ['badge'] }, 0]);
    // Another page still shows the kinds that were muted before.
    expect((await client.put('/api/notifications/mutes', { kinds: ['reaction'] }, seen)).status).toBe(412);
    await social.scoring.publish(badgeEarned(maya, 'Night Owl'), badgeEarned(omar));
    await cheer(omar, postId);
    await expect.poll(() => unreadOf(maya)).toBe(1);
    await expect.poll(() => bellOf(omar)).toHaveLength(1);
    expect(await textsOf(maya)).toEqual(['Omar Haddad cheered your walk', 'You earned the badge Early Bird']);
    await expect.poll(() => dueOf(maya).map(({ kind }) => kind)).toEqual(['badge', 'reaction']);
  });

  test('[D17 D53] pages follow each other, newest first, and what is 90 days old is forgotten', async () => {
    const maya = memberOf(randomUUID(), randomUUID(), 'Maya');
    const { orgId, userId } = maya;
    const said = await social.identity.publish(memberJoined(maya));
    await (await social.as(maya)).get('/api/feed/all', { 'x-min-position': `identity:${said[0]?.position}` });
    const facts = Array.from({ length: 5 }, (_, nth) => ({
      type: 'MemberMoved',
      version: 1,
      orgId,
      key: orgId,
      data: {
        userId,
        fromTeamId: maya.teamId,
        teamId: randomUUID(),
        movedAt: new Date(Date.now() - nth * 60_000).toISOString(),
      },
    }));
    await social.identity.publish(...facts);
    await expect.poll(() => bellOf(maya)).toHaveLength(5);
    const ids = (await bellOf(maya)).map(({ id }) => id);
    const client = await social.as(maya);
    const seen: string[] = [];
    for (let next: string | undefined = '/api/notifications?limit=2'; next !== undefined;) {
      const { body, headers }: Answer<unknown> = await client.get(next);
      seen.push(...notificationsSchema.parse(body).map(({ id }) => id));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
    expect((await client.get('/api/notifications?cursor=nonsense')).status).toBe(422);
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    await social.app.get(SweepNotices).sweepAt(days(keptDays - 1));
    expect(await bellOf(maya)).toHaveLength(5);
    await social.app.get(SweepNotices).sweepAt(days(keptDays + 1));
    expect(await social.rows(orgId, 'select from notice_items where org_id = $1')).toEqual([]);
  });
});
