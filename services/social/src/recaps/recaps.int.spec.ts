import { casesOf } from '@caravan/contracts/testing/full';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { type RecapEffect, recapEffectSchema, recapSummariesSchema } from '@caravan/contracts/http/recaps';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { creditsOf, keptBatches, weekStreaksOf } from '../testing/kept-runs.ts';
import { memberErased, memberOf, privacyChosen, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest } from '../testing/social-under-test.ts';
import { creditedFact, livedWeek, monday, recapsOf, signedIn } from '../testing/told-weeks.ts';
import { addToWeeks } from './figures.store.ts';
import { weekFigures } from './week-figures.query.ts';

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

const toldOf = (orgId: string) => recapsOf(heard, orgId);

describe('on Monday morning', () => {
  test('[1.12 3.16 D28] the story of the week is built once, by however many, from what was told twice', async () => {
    const week = await livedWeek(social);
    await week.build(new Date('2026-11-23T05:59:59.000Z'));
    expect((await week.read(week.maya)).status).toBe(404);
    await Promise.all([week.build(), week.build(), week.build()]);
    await week.build();
    const recap = await week.recapOf(week.maya);
    expect(recap).toMatchObject({
      weekStartDate: monday,
      weekEndDate: '2026-11-22',
      totalMiles: 26,
      previousMiles: 16,
      memberCount: 3,
      topTeams: [
        { teamId: week.thunder, name: 'Thunder', miles: 17, previousMiles: 16 },
        { teamId: week.blazers, name: 'Blazers', miles: 9, previousMiles: 0 },
      ],
      mostImproved: [{ user: { name: 'Maya', profileId: week.maya.userId }, miles: 15, previousMiles: 10 }],
      streaks: { kept: 1, longestDays: 10 },
      checkpoints: [{ teamName: 'Thunder', name: 'Chollerford', mileMark: 27 }],
      challenges: { weekly: [{ name: 'Walk 5 miles', completions: 2 }], bonusCompletions: 0 },
      featuredQuote: { text: 'Up before the sun again', user: { name: 'Maya' } },
      featuredPhotoUrl: null,
      own: { miles: 15, previousMiles: 10 },
    });
    expect(await week.rows('select from weekly_recaps where org_id = $1 and member_count > 0')).toHaveLength(2);
    await eventually(() => expect(toldOf(week.orgId)).toHaveLength(1));
    const [told] = toldOf(week.orgId);
    expect(told).toMatchObject({
      recapId: recap.id,
      weekStartsOn: monday,
      weekEndsOn: '2026-11-22',
      centimiles: 2600,
      memberCount: 3,
      topTeams: [{ name: 'Thunder', centimiles: 1700 }, { name: 'Blazers' }],
    });
  });

  test('[D28 D32] open pages hear of it, the list has it first, page by page, and its id or week names it', async () => {
    const week = await livedWeek(social);
    const live = await listenLive(social.env, week.orgId);
    await week.build();
    await eventually(() => expect(live.kinds).toContain('recaps'));
    await live.close();
    const client = await social.as(week.omar);
    const { body, headers } = await client.get('/api/recaps?limit=1', week.header);
    expect(recapSummariesSchema.parse(body)).toMatchObject([
      { weekStartDate: monday, totalMiles: 26, topTeam: { name: 'Thunder', miles: 17 }, isViewed: false },
    ]);
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    const older = await client.get<{ weekStartDate: string }[]>(next);
    expect([older.body.map(({ weekStartDate }) => weekStartDate), older.headers.get('link')]).toEqual([
      ['2026-11-09'],
      null,
    ]);
    const [{ id, weekStartDate } = { id: '', weekStartDate: '' }] = recapSummariesSchema.parse(body);
    const byWeek = await client.get(`/api/recaps/${weekStartDate}`);
    expect([byWeek.status, (await client.get(`/api/recaps/${id}`)).body]).toEqual([200, byWeek.body]);
    for (const query of ['limit=0', 'cursor=x', `cursor=${Buffer.from('["2026-99-99"]').toString('base64url')}`])
      expect((await client.get(`/api/recaps?${query}`)).status).toBe(422);
    for (const bad of ['2026-13-01', 'yesterday', randomUUID()])
      expect((await client.get(`/api/recaps/${bad}`)).status).toBe(404);
    expect((await client.get('/api/recaps/2026-11-17')).status).toBe(404);
  });

  test('[D28] a recap stays as it was told: corrections that come later change nothing but one’s own figure', async () => {
    const week = await livedWeek(social);
    await week.build();
    const before = await week.recapOf(week.omar);
    await social.scoring.publish(creditedFact(week.omar, { centimiles: 300, on: monday }));
    await eventually(async () => expect((await week.recapOf(week.omar)).own.miles).toBe(5));
    expect(await week.recapOf(week.omar)).toEqual({ ...before, own: { ...before.own, miles: 5 } });
  });
});

describe('whom a recap speaks of', () => {
  test.each([
    ['who does not want it is not quoted', { featuredInRecaps: false }, [null, ['Maya']]],
    ['who hides activity is not quoted', { activityVisible: false }, [null, ['Maya']]],
    ['who hides figures has improved on nothing that others see', { statsVisible: false }, ['Maya', []]],
    ['who hides the profile is nowhere in it', { profileVisible: false }, [null, []]],
  ])('[D18 D28] %s, whether chosen before or after', async (_, choice, expected) => {
    for (const isBefore of [true, false]) {
      const week = await livedWeek(social);
      if (!isBefore) await week.build();
      const header = await social.tell(week.orgId, privacyChosen(week.maya, { featuredInRecaps: true, ...choice }));
      await (await social.as(week.omar)).get('/api/recaps', header);
      if (isBefore) await week.build();
      const { featuredQuote, mostImproved } = await week.recapOf(week.omar, header);
      expect([featuredQuote?.user.name ?? null, mostImproved.map(({ user }) => user.name)]).toEqual(expected);
    }
  });

  test('[D8 D18] the quote is the caption as it is now, and gone with its post', async () => {
    const week = await livedWeek(social);
    await week.build();
    const { data } = week.quoted;
    const corrected = {
      ...data,
      revision: 2,
      correctedAt: '2026-11-24T08:00:00.000Z',
      caption: 'In good company',
      previous: { durationMinutes: data.durationMinutes, centimiles: data.centimiles, loggedOn: data.loggedOn },
    };
    const fact = { version: 1, orgId: week.orgId, key: week.maya.userId };
    await social.activity.publish({ ...fact, type: 'MovementCorrected', data: corrected });
    await eventually(async () => expect((await week.recapOf(week.omar)).featuredQuote?.text).toBe('In good company'));
    const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = data;
    const removed = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
    await social.activity.publish({
      ...fact,
      type: 'MovementRemoved',
      data: { ...removed, removedAt: '2026-11-24T09:00:00.000Z' },
    });
    await eventually(async () => expect((await week.recapOf(week.omar)).featuredQuote).toBeNull());
  });

  test('[D32 D28] who is erased is gone from it, with what they said; the figures stay', async () => {
    const week = await livedWeek(social);
    await week.build();
    const { id } = await week.recapOf(week.maya);
    await week.engage(week.maya, id, { feedbackText: 'Remember me', reactionEmoji: '💪' });
    const header = await social.tell(week.orgId, memberErased(week.maya));
    const recap = await week.recapOf(week.omar, header);
    expect(recap).toMatchObject({
      totalMiles: 26,
      featuredQuote: null,
      mostImproved: [],
      reactionCount: 0,
      viewCount: 0,
    });
    expect(JSON.stringify(await week.rows('select to_jsonb(r) from weekly_recaps r where org_id = $1'))).not.toMatch(
      /Maya|sun/,
    );
    expect(await week.rows(`select from recap_engagement where org_id = $1`)).toEqual([]);
    const ofRuns = 'select distinct user_id as id from recap_member_weeks where org_id = $1 and position is not null';
    expect((await week.rows<{ id: string }>(ofRuns)).map(({ id }) => id).toSorted()).toEqual(
      [week.omar.userId, week.zoe.userId].toSorted(),
    );
    // An answer that is still on its way to somebody erased writes nothing.
    expect((await week.engage(week.maya, id, { feedbackText: 'Again' })).status).toBe(503);
  });

  test('[D32] of an organisation that closed nothing is told', async () => {
    const week = await livedWeek(social);
    await week.build();
    const closed = { type: 'OrganisationClosed', data: { closedAt: '2026-11-24T08:00:00.000Z' } };
    const header = await social.tell(week.orgId, closed);
    expect((await week.read(week.omar, monday, header)).status).toBe(404);
    await week.build(new Date('2026-12-01T08:00:00.000Z'));
    expect(await week.rows('select from weekly_recaps where org_id = $1')).toEqual([]);
    expect(await week.rows('select from recap_achievements where org_id = $1 and name is not null')).toEqual([]);
  });
});

describe('[3.17 D53] what members say of a recap', () => {
  test('is one reaction, one vibe and one feedback, changeable and taken back; who looks is counted once', async () => {
    const week = await livedWeek(social);
    await week.build();
    const { id, engagement } = await week.recapOf(week.maya);
    expect(engagement).toEqual({ viewedAt: null, reactionEmoji: null, vibeEmoji: null, feedbackText: null });
    expect((await week.engage(week.omar, id, {})).body).toMatchObject({ viewedAt: expect.any(String) as string });
    const first = await week.engage(week.maya, id, {
      reactionEmoji: '💪',
      vibeEmoji: '🤩',
      feedbackText: ' Well done ',
    });
    expect([first.status, first.body]).toEqual([
      200,
      { viewedAt: expect.any(String) as string, reactionEmoji: '💪', vibeEmoji: '🤩', feedbackText: 'Well done' },
    ]);
    await week.engage(week.maya, id, { reactionEmoji: '🙌' });
    await week.engage(week.maya, id, { vibeEmoji: null });
    expect(await week.recapOf(week.maya)).toMatchObject({
      viewCount: 2,
      reactionCount: 1,
      commentCount: 1,
      reactions: { '🙌': 1 },
      vibes: {},
      engagement: { ...first.body, reactionEmoji: '🙌', vibeEmoji: null },
    });
    expect((await week.recapOf(week.zoe)).engagement.reactionEmoji).toBeNull();
  });

  test('[D38] is said once however often it is sent under one key', async () => {
    const week = await livedWeek(social);
    await week.build();
    const { id } = await week.recapOf(week.maya);
    const key = { 'idempotency-key': 'recap-1' };
    const answers = [{ vibeEmoji: '😴' }, { vibeEmoji: '😴' }, { vibeEmoji: '😊' }];
    const statuses: number[] = [];
    for (const body of answers) statuses.push((await week.engage(week.maya, id, body, key)).status);
    expect(statuses).toEqual([200, 200, 422]);
  });

  test.each([
    ['another emoji', { reactionEmoji: '👎' }, 'Choose 💪, ❤️ or 🙌'],
    ['another vibe', { vibeEmoji: '💪' }, 'Choose one of 🤩 😊 😌 😴 🌧️'],
    ['an empty feedback', { feedbackText: '  ' }, 'Write your feedback first'],
    ['a long feedback', { feedbackText: 'x'.repeat(501) }, 'Feedback has at most 500 characters'],
    [
      'a feedback that turns words',
      { feedbackText: 'a\u202eb' },
      'Characters that turn the direction of text are not allowed',
    ],
  ])('[D38] is refused with its reason: %s', async (_, body, message) => {
    const client = await social.as(memberOf(randomUUID(), randomUUID(), 'Zoe'));
    expect(await client.post(`/api/recaps/${randomUUID()}/engagement`, body)).toMatchObject({
      status: 422,
      body: { message },
    });
  });

  test('[D4 S03] recaps of others do not exist, and every row is its organisation’s', async () => {
    const week = await livedWeek(social);
    const other = await livedWeek(social);
    await week.build();
    const { id } = await week.recapOf(week.maya);
    const theirs = await other.recapOf(other.maya);
    expect((await week.engage(week.maya, theirs.id, { reactionEmoji: '💪' })).status).toBe(404);
    const client = await social.as(week.maya);
    expect((await client.get(`/api/recaps/${theirs.id}/picture`)).status).toBe(404);
    const admin = await social.as(week.maya, { role: 'admin' });
    expect((await admin.get(`/api/recaps/${theirs.id}/analytics`)).status).toBe(404);
    expect((await client.get(`/api/recaps/${id}/analytics`)).status).toBe(403);
    await week.engage(week.maya, id, { reactionEmoji: '💪' });
    const { unguarded, leaking, proven } = await tenancyOf(social.pool, other.orgId);
    expect([unguarded, leaking]).toEqual([[], []]);
    const parts = ['analytics', 'engagement', 'achievements', 'member_weeks', 'sign_ins'];
    expect(proven).toEqual(expect.arrayContaining([...parts.map((part) => `recap_${part}`), 'weekly_recaps']));
  });
});

test('[3.18] admins see what a recap did: logins and logs before it, and once the next week is over those after', async () => {
  const week = await livedWeek(social);
  await week.build();
  const { id } = await week.recapOf(week.maya);
  await week.engage(week.zoe, id, { feedbackText: 'More of that' });
  const admin = await social.as(week.maya, { role: 'admin' });
  const effect = async () =>
    recapEffectSchema.parse((await admin.get<RecapEffect>(`/api/recaps/${id}/analytics`, week.header)).body);
  expect(await effect()).toEqual({
    weeklyLoginsBefore: 2,
    weeklyLoginsAfter: null,
    newActivitiesBefore: 2,
    newActivitiesAfter: null,
    participationChange: null,
    feedback: ['More of that'],
  });
  await social.identity.publish(signedIn(week.zoe, '2026-11-29T23:00:00.000Z'));
  await eventually(async () =>
    expect(
      await week.rows(`select from recap_sign_ins where org_id = $1 and signed_in_on = '2026-11-29'`),
    ).toHaveLength(1),
  );
  await week.build(new Date('2026-11-30T06:00:00.000Z'));
  // Three of three had moved, then one of three.
  expect(await effect()).toMatchObject({
    weeklyLoginsBefore: 2,
    weeklyLoginsAfter: 2,
    newActivitiesBefore: 2,
    newActivitiesAfter: 1,
    participationChange: -66.7,
  });
});

test('[D28 D18] the picture is a PNG with teams and figures; whoever has it is told so, and the own miles come on demand', async () => {
  const week = await livedWeek(social);
  await week.build();
  const { id } = await week.recapOf(week.maya);
  const token = await social.tokenFor(week.maya);
  const ask = (query = '', headers = {}) =>
    fetch(`${social.url}/api/recaps/${id}/picture${query}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const answer = await ask();
  const png = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'image/png',
    'private, no-cache',
  ]);
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1200, 630]);
  const etag = answer.headers.get('etag') ?? '';
  expect((await ask('', { 'if-none-match': etag })).status).toBe(304);
  const own = await ask('?own=true');
  expect(own.headers.get('etag')).not.toBe(etag);
  expect((await ask('?own=perhaps')).status).toBe(422);
});

test('[1.12 D8 D11] streaks of a week are those of members’ newest entries, late logs and corrections among them', async () => {
  const property = fc.asyncProperty(keptBatches, async (batches) => {
    const orgId = randomUUID();
    const { written, daysByMember } = creditsOf(batches, orgId);
    await withTenant(social.pool, orgId, async (tx) => {
      for (const credits of written) await addToWeeks(tx, credits);
      for (const startsOn of [0, 7, 14, 21].map((days) => addDays(monday, days))) {
        const endsOn = addDays(startsOn, 6);
        const { story } = await weekFigures(tx, { orgId, startsOn, endsOn, zones: onlyZone('UTC') });
        expect(story.streaks).toEqual(weekStreaksOf(daysByMember, startsOn, endsOn));
      }
    });
  });
  await fc.assert(property, { numRuns: casesOf({ core: 20, full: 60 }) });
});
