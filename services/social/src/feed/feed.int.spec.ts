import { eventually } from '@caravan/event-store/testing/eventually';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { feedSchema } from '@caravan/contracts/http/feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import type { Envelope } from '@caravan/contracts/envelope';
import type { Answer } from '@caravan/service-kit/testing/api-client';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberJoined, memberOf, movementLogged, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
const [orgId, thunder, blazers] = [randomUUID(), randomUUID(), randomUUID()];
const maya = memberOf(orgId, thunder, 'Maya Okafor');
const lena = memberOf(orgId, thunder, 'Lena Fischer');
const omar = memberOf(orgId, blazers, 'Omar Haddad');
const elsewhere = memberOf(randomUUID(), thunder, 'Zoe Elsewhere');
const postsOf = new Map<TestMember, string[]>();
let joined: Envelope[];
let logged: Envelope[];

beforeAll(async () => {
  social = await startSocial();
  joined = await social.identity.say(...[maya, lena, omar, elsewhere].map(memberJoined));
  const start = Date.parse('2026-11-16T10:00:00.000Z');
  // Several posts of one millisecond, so that only their ids tell them apart.
  const logs = Array.from({ length: 60 }, (_, index) => {
    const member = [maya, lena, omar][index % 3] ?? maya;
    const fact = movementLogged(member, {
      caption: `Post ${index}`,
      loggedAt: new Date(start + Math.floor(index / 7)),
    });
    return { member, fact };
  });
  logged = await social.activity.say(...logs.map(({ fact }) => fact), movementLogged(elsewhere));
  await eventually(async () => {
    expect(await social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(60);
    expect(await social.rows(elsewhere.orgId, 'select from posts where org_id = $1')).toHaveLength(1);
    expect(await social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(3);
  });
  for (const { member, fact } of logs) postsOf.set(member, [...(postsOf.get(member) ?? []), fact.data.logId]);
});
afterAll(() => social.close());

const sorted = (ids: readonly string[]) => [...ids].sort();
const ofMembers = (...members: TestMember[]) => sorted(members.flatMap((member) => postsOf.get(member) ?? []));

async function pages(member: TestMember, path: string) {
  const client = await social.as(member);
  const found: string[][] = [];
  const times: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer<FeedPost[]> = await client.get(next);
    expect(answer.status).toBe(200);
    const posts = feedSchema.parse(answer.body);
    found.push(posts.map(({ id }) => id));
    times.push(...posts.map(({ createdAt }) => createdAt));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(times).toEqual([...times].sort().reverse());
  return found;
}

describe('a feed', () => {
  test('[3.39 D41] shows posts as the contract says', async () => {
    const { body } = await (await social.as(omar)).get('/api/feed/mine?limit=1');
    expect(body).toEqual([
      {
        id: expect.any(String),
        user: { name: 'Omar Haddad', avatar: null, profileId: omar.userId },
        createdAt: expect.stringMatching(/^2026-11-16T10:00:00\.00\dZ$/),
        ...{ source: 'timer', activityType: 'Walking', distanceMiles: '3.00', durationMinutes: 30 },
        ...{ caption: expect.stringMatching(/^Post \d+$/), photoUrl: null, reactions: {} },
      },
    ]);
  });

  test.each([
    ['all', () => ofMembers(maya, lena, omar)],
    ['team', () => ofMembers(maya, lena)],
    ['mine', () => ofMembers(maya)],
  ])('[D17] %s holds exactly its posts, each once, over all pages', async (scope, expected) => {
    const found = await pages(maya, `/api/feed/${scope}?limit=7`);
    expect(sorted(found.flat())).toEqual(expected());
    expect(found.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });

  test('[9.18 D17] has ten posts a page, fifty at most', async () => {
    const client = await social.as(maya);
    expect((await client.get('/api/feed/all')).body).toHaveLength(10);
    expect((await client.get('/api/feed/all?limit=100000')).body).toHaveLength(50);
  });

  test('[7.25] an array that ends has no next page', async () => {
    const { headers } = await (await social.as(omar)).get('/api/feed/mine?limit=20');
    expect(headers.get('link')).toBeNull();
  });

  test('[D17] of another organisation is never seen, not even under an equal team', async () => {
    expect((await pages(elsewhere, '/api/feed/all')).flat()).toHaveLength(1);
    expect((await pages(elsewhere, '/api/feed/team')).flat()).toHaveLength(1);
    expect((await pages({ ...maya, orgId: elsewhere.orgId }, '/api/feed/mine')).flat()).toEqual([]);
  });

  test('[D17] of a member without a team here is empty', async () => {
    const stranger = memberOf(orgId, thunder, 'Stranger');
    expect((await pages(stranger, '/api/feed/team')).flat()).toEqual([]);
    expect((await pages(stranger, '/api/feed/all?limit=50')).flat()).toHaveLength(60);
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  const seen = await tenancyOf(social.pool, elsewhere.orgId);
  expect(seen).toEqual({ unguarded: [], leaking: [], proven: ['members', 'posts'] });
});

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const declared = declaredIn(resolve(import.meta.dirname, '../../prisma/schema.prisma'));
  expect(declared).toEqual(await migratedInto(social.pool));
});

describe('bad input', () => {
  test.each(['all', 'team', 'mine'])('[D38] /api/feed/%s refuses limits and cursors that are none', async (scope) => {
    const client = await social.as(maya);
    for (const query of ['limit=0', 'limit=-3', 'limit=ten', 'limit=1.5', 'cursor=x', `cursor=${'x'.repeat(300)}`])
      expect([query, (await client.get(`/api/feed/${scope}?${query}`)).status]).toEqual([query, 422]);
    expect((await social.nobody.get(`/api/feed/${scope}`)).status).toBe(401);
  });

  test('[D17] a scope that is none does not exist', async () => {
    expect((await (await social.as(maya)).get('/api/feed/everybody')).status).toBe(404);
  });
});

describe('delivery', () => {
  test('[F08] of everything twice changes nothing', async () => {
    const before = await social.rows(orgId, 'select * from posts where org_id = $1 order by log_id');
    await social.identity.repeat(...joined);
    await social.activity.repeat(...logged);
    const last = movementLogged(maya, { caption: 'after all that', loggedAt: new Date('2026-11-16T09:00:00.000Z') });
    const said = await social.activity.say(last);
    const header = { 'x-min-position': `activity:${said[0]?.position ?? 0}` };
    const { body } = await (await social.as(maya)).get<FeedPost[]>('/api/feed/mine?limit=50', header);
    expect(body.at(-1)).toMatchObject({ caption: 'after all that' });
    const after = await social.rows<{ log_id: string }>(orgId, 'select * from posts where org_id = $1 order by log_id');
    expect(after.filter((post) => post.log_id !== last.data.logId)).toEqual(before);
  });

  test('[D35] of a post is heard by open pages', async () => {
    const pages = await listenLive(social.env, orgId);
    try {
      await social.activity.say(movementLogged(omar));
      await eventually(() => expect(pages.kinds).toContain('feed'));
    } finally {
      await pages.close();
    }
  });

  test('[architecture 6] who posts sees the post at once', async () => {
    const fact = movementLogged(lena);
    const said = await social.activity.say(fact);
    const header = { 'x-min-position': `activity:${said[0]?.position ?? 0}` };
    const { body } = await (await social.as(lena)).get<FeedPost[]>('/api/feed/all?limit=1', header);
    expect(body[0]).toMatchObject({ id: fact.data.logId, user: { name: 'Lena Fischer' } });
  });
});
