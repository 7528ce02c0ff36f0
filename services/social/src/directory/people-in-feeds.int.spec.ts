import { randomUUID } from '@caravan/contracts/testing/seeded';
import { feedPostSchema } from '@caravan/contracts/http/feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Answer } from '@caravan/service-kit/testing/api-client';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { signedPhoto } from '@caravan/service-kit/testing/signed-photo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  memberErased,
  memberJoined,
  memberOf,
  movementLogged,
  privacyChosen,
  startSocial,
} from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

/** Maya and Lena of Thunder, Omar of Blazers; each has posted in turn, twelve times in all. */
async function threePeople() {
  const orgId = randomUUID();
  const thunder = randomUUID();
  const blazers = randomUUID();
  const maya = memberOf(orgId, thunder, 'Maya Okafor');
  const lena = memberOf(orgId, thunder, 'Lena Fischer');
  const omar = memberOf(orgId, blazers, 'Omar Haddad');
  await social.identity.publish(...[maya, lena, omar].map(memberJoined));
  const start = Date.parse('2026-11-16T10:00:00.000Z');
  await social.activity.publish(
    ...Array.from({ length: 12 }, (_, index) =>
      movementLogged([maya, lena, omar][index % 3] ?? maya, {
        caption: `Post ${index}`,
        activityType: index < 3 ? `Own sport ${index}` : 'Walking',
        loggedAt: new Date(start + 1_000 * index),
      }),
    ),
  );
  await eventually(async () => {
    expect(await social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(12);
    expect(await social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(3);
  });
  return { orgId, thunder, blazers, maya, lena, omar };
}

async function pagesOf(member: TestMember, scope: 'all' | 'team' | 'mine', headers = {}): Promise<FeedPost[][]> {
  const client = await social.as(member);
  const pages: FeedPost[][] = [];
  for (let next: string | undefined = `/api/feed/${scope}?limit=3`; next !== undefined;) {
    const answer: Answer<FeedPost[]> = await client.get(next, headers);
    expect([answer.status, answer.headers.get('x-stale')]).toEqual([200, null]);
    pages.push(answer.body.map((post) => feedPostSchema.strict().parse(post)));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
}
const authors = (pages: FeedPost[][]) => [...new Set(pages.flat().map(({ user }) => user.name))].sort();
const sizes = (pages: FeedPost[][]) => pages.map((page) => page.length);

describe('who hides the own activity', () => {
  test('[6.9 D17 D18 S22] is in nobody else’s feed, and pages stay full and complete', async () => {
    const { orgId, maya, lena, omar } = await threePeople();
    const header = await social.tell(orgId, privacyChosen(lena, { activityVisible: false }));
    for (const viewer of [maya, omar]) {
      const all = await pagesOf(viewer, 'all', header);
      expect([authors(all), sizes(all)]).toEqual([
        ['Maya Okafor', 'Omar Haddad'],
        [3, 3, 2],
      ]);
    }
    expect(sizes(await pagesOf(maya, 'team', header))).toEqual([3, 1]);
    expect(await pagesOf({ ...lena, userId: maya.userId }, 'mine', header)).toEqual(await pagesOf(maya, 'mine'));
  });

  test('[6.9 D18] sees the own posts in every feed as before', async () => {
    const { orgId, lena } = await threePeople();
    const scopes = ['all', 'team', 'mine'] as const;
    const before = await Promise.all(scopes.map((scope) => pagesOf(lena, scope)));
    const header = await social.tell(orgId, privacyChosen(lena, { activityVisible: false }));
    expect(await Promise.all(scopes.map((scope) => pagesOf(lena, scope, header)))).toEqual(before);
  });

  test('[D18 D35] is back with all posts the moment they choose so; open pages hear of it', async () => {
    const { orgId, maya, lena } = await threePeople();
    const before = await pagesOf(maya, 'all');
    const pages = await listenLive(social.env, orgId);
    const hidden = await social.tell(orgId, privacyChosen(lena, { activityVisible: false }));
    expect(authors(await pagesOf(maya, 'all', hidden))).not.toContain('Lena Fischer');
    const shown = await social.tell(orgId, privacyChosen(lena, {}));
    expect(await pagesOf(maya, 'all', shown)).toEqual(before);
    await expect.poll(() => [...pages.kinds]).toContain('feed');
    await pages.close();
  });

  test('[D17 D18] a page that began before somebody hid goes on without them, nothing twice and nothing lost', async () => {
    const { orgId, maya, lena } = await threePeople();
    const client = await social.as(maya);
    const first = await client.get<FeedPost[]>('/api/feed/all?limit=3');
    const header = await social.tell(orgId, privacyChosen(lena, { activityVisible: false }));
    const next = /<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await client.get<FeedPost[]>(next.replace('limit=3', 'limit=50'), header);
    expect(rest.body.map(({ caption }) => caption)).toEqual([8, 6, 5, 3, 2, 0].map((index) => `Post ${index}`));
  });
});

describe('who is not known yet', () => {
  test('[D18 S22] is in nobody else’s feed until their choice has come, whichever comes first and however often', async () => {
    const { orgId, thunder, maya } = await threePeople();
    const before = await pagesOf(maya, 'all');
    const early = memberOf(orgId, thunder, 'Early Bird');
    const hiding = memberOf(orgId, thunder, 'Hidden Early');
    const late = memberOf(orgId, thunder, 'Hidden Late');
    await social.tell(orgId, memberJoined(late), privacyChosen(late, { activityVisible: false }));
    const posts = [early, hiding, late].map((member) => movementLogged(member, { caption: member.name }));
    const said = await social.activity.publish(...posts);
    await social.activity.redeliver(...said.toReversed());
    await eventually(async () => {
      expect(await social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(15);
    });
    for (const scope of ['all', 'team'] as const)
      expect(authors(await pagesOf(maya, scope))).not.toEqual(expect.arrayContaining(['A teammate']));
    expect(await pagesOf(maya, 'all')).toEqual(before);
    for (const scope of ['all', 'mine'] as const)
      expect((await pagesOf(early, scope)).flat().map(({ caption }) => caption)).toContain('Early Bird');

    const pages = await listenLive(social.env, orgId);
    const header = await social.tell(
      orgId,
      memberJoined(hiding),
      privacyChosen(hiding, { activityVisible: false }),
      memberJoined(early),
    );
    const [first, ...rest] = (await pagesOf(maya, 'all', header)).flat();
    expect(first).toMatchObject({ caption: 'Early Bird', user: { name: 'Early Bird', profileId: early.userId } });
    expect(rest).toEqual(before.flat());
    expect((await pagesOf(hiding, 'mine', header)).flat()).toMatchObject([{ caption: 'Hidden Early' }]);
    await expect.poll(() => [...pages.kinds]).toContain('feed');
    await pages.close();
  });
});

test('[6.9 D18] who hides the own profile posts by name, and the name leads nowhere but for themselves', async () => {
  const { orgId, maya, lena } = await threePeople();
  const linksOf = async (viewer: TestMember, header?: Record<string, string>) =>
    (await pagesOf(viewer, 'all', header))
      .flat()
      .filter(({ user }) => user.name === 'Lena Fischer')
      .map(({ user }) => user.profileId);
  expect(new Set(await linksOf(maya))).toEqual(new Set([lena.userId]));
  const header = await social.tell(orgId, privacyChosen(lena, { profileVisible: false }));
  expect(new Set(await linksOf(maya, header))).toEqual(new Set([null]));
  expect(new Set(await linksOf(lena, header))).toEqual(new Set([lena.userId]));
});

test('[D2 D17] who changes the team reads the new team’s feed at once; posts stay where they were logged', async () => {
  const { orgId, thunder, blazers, maya, lena } = await threePeople();
  const data = { userId: maya.userId, fromTeamId: thunder, teamId: blazers, movedAt: '2026-11-21T08:00:00.000Z' };
  const header = await social.tell(orgId, { type: 'MemberMoved', data });
  expect(authors(await pagesOf(maya, 'team', header))).toEqual(['Omar Haddad']);
  expect(authors(await pagesOf(lena, 'team', header))).toEqual(['Lena Fischer', 'Maya Okafor']);
});

test('[7.30 3.39] a new name and picture stand at earlier posts, too', async () => {
  const { orgId, maya, omar } = await threePeople();
  const data = {
    userId: maya.userId,
    name: 'Maya O.',
    timeZone: 'UTC',
    profilePhotoUrl: `/objects/photos/${randomUUID()}`,
  };
  const header = await social.tell(orgId, { type: 'ProfileEdited', data });
  const mayas = (await pagesOf(omar, 'all', header)).flat().filter(({ user }) => user.name === 'Maya O.');
  const shown = mayas.map(({ user }) => signedPhoto(user.avatar)?.objectPath);
  expect(shown).toEqual(Array(4).fill(data.profilePhotoUrl));
});

describe('who was erased', () => {
  test('[S25 D43] leaves nothing personal in messages that stand still, not in those that come later either', async () => {
    const { orgId, maya } = await threePeople();
    const parkedKeys = async () => {
      const text = `select convert_from(coalesce(value, ''), 'UTF8') as value, error_message as reason from msg.parked
        where key = $1 or key = $2 order by parked_id`;
      return (await social.pool.query<{ value: string; reason: string }>(text, [orgId, maya.userId])).rows;
    };
    await social.activity.publishRaw(maya.userId, 'Secret, and no JSON');
    await social.activity.publish(movementLogged(maya, { caption: 'Secret caption', activityType: 'Secret sport' }));
    await social.identity.publishRaw(orgId, `{"Secret": "${maya.userId}"`);
    const profile = { userId: maya.userId, name: 'Secret Okafor', timeZone: 'UTC', profilePhotoUrl: null };
    await social.identity.publish({ type: 'ProfileEdited', version: 1, orgId, key: orgId, data: profile });
    // One group listens to activity and four to identity; each puts both messages of the key aside, but for the one that
    // takes no profiles and that nobody waits for.
    await eventually(async () => expect(await parkedKeys()).toHaveLength(9));
    expect(JSON.stringify(await parkedKeys())).toContain('Secret');

    await social.tell(orgId, memberErased(maya));
    await eventually(async () => expect(JSON.stringify(await parkedKeys())).not.toContain('Secret'));
    const logged = (await parkedKeys()).find(({ value }) => value.includes('MovementLogged'));
    expect(JSON.parse(logged?.value ?? '')).toMatchObject({ data: { durationMinutes: 30, caption: null } });
    const before = (await parkedKeys()).length;
    await social.activity.publish(movementLogged(maya, { caption: 'Secret, late' }));
    await eventually(async () => expect((await parkedKeys()).length).toBeGreaterThan(before));
    expect(JSON.stringify(await parkedKeys())).not.toContain('Secret');
  });

  test('[D18 D32] tells as a former member, without picture, caption and own words; the numbers stay', async () => {
    const { orgId, maya, omar } = await threePeople();
    const before = (await pagesOf(omar, 'all')).flat();
    const header = await social.tell(orgId, memberErased(maya));
    const after = (await pagesOf(omar, 'all', header)).flat();
    expect(after).toEqual(
      before.map((post) => {
        if (post.user.name !== 'Maya Okafor') return post;
        const activityType = post.activityType === 'Walking' ? 'Walking' : 'Custom activity';
        return {
          ...post,
          user: { name: 'A former member', avatar: null, profileId: null },
          caption: null,
          activityType,
        };
      }),
    );
  });

  test('[D32] leaves no word in any row, not even of posts that were on their way', async () => {
    const { orgId, maya, omar } = await threePeople();
    const post = (caption: string) => movementLogged(maya, { caption, activityType: 'Secret sport' });
    const racing = social.activity.publish(...Array.from({ length: 40 }, (_, index) => post(`Racing ${index}`)));
    const erased = await social.tell(orgId, memberErased(maya));
    await racing;
    await pagesOf(omar, 'all', erased);
    const said = await social.activity.publish(post('Much too late'));
    const header = { 'x-min-position': `activity:${said[0]?.position ?? 0}` };
    expect((await (await social.as(maya)).get<FeedPost[]>('/api/feed/mine?limit=50', header)).body).toHaveLength(45);
    for (const table of ['members', 'posts']) {
      const rows = await social.rows(orgId, `select * from ${table} where org_id = $1 and user_id = '${maya.userId}'`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(/Maya|Post|Racing|late|sport/);
    }
    expect(authors(await pagesOf(omar, 'all'))).toContain('A former member');
  });
});

describe('an organisation that was closed', () => {
  test('[D43 D32] leaves ids and numbers of its people and posts, whoever was told first and however often; others keep theirs', async () => {
    const gone = await threePeople();
    const other = await threePeople();
    await keepAnswer(gone.orgId, gone.maya.userId);
    await keepAnswer(other.orgId, other.maya.userId);
    const erased = [gone.maya, gone.lena, gone.omar].map(memberErased);
    const team = { teamId: gone.thunder, name: 'Canary', emoji: '🐤', formedAt: '2026-11-16T08:00:00.000Z' };
    await social.tell(gone.orgId, { type: 'TeamFormed', data: team }, ...erased, {
      type: 'OrganisationClosed',
      data: { closedAt: '2026-11-21T08:00:00.000Z' },
    });
    const answers = 'select owner from es.requests where org_id = $1';
    // An erased member's answers go before the organisation's.
    await expect
      .poll(() => social.rows(gone.orgId, 'select name, emoji, is_retired from teams where org_id = $1'))
      .toEqual([{ name: 'A former team', emoji: '', isRetired: true }]);
    expect(await social.rows(gone.orgId, answers)).toEqual([]);
    const posts = await social.rows<{ centimiles: number }>(gone.orgId, 'select * from posts where org_id = $1');
    expect([posts.length, new Set(posts.map(({ centimiles }) => centimiles))]).toEqual([12, new Set([300])]);
    const rows = [...posts, ...(await social.rows(gone.orgId, 'select * from members where org_id = $1'))];
    expect(JSON.stringify(rows)).not.toMatch(/Maya|Lena|Omar|Post|Own sport/);
    expect(await social.rows(other.orgId, answers)).toHaveLength(1);
    expect(authors(await pagesOf(other.maya, 'all'))).toEqual(['Lena Fischer', 'Maya Okafor', 'Omar Haddad']);
  });

  test('[D43] whose erasures were lost says nothing of anybody all the same', async () => {
    const { orgId } = await threePeople();
    await social.tell(orgId, { type: 'OrganisationClosed', data: { closedAt: '2026-11-21T08:00:00.000Z' } });
    const words =
      "select caption, activity_type from posts where org_id = $1 and (caption <> '' or activity_type ~ 'Own')";
    await expect.poll(() => social.rows(orgId, words)).toEqual([]);
  });
});

const keepAnswer = (orgId: string, owner: string) =>
  withTenant(social.pool, orgId, (tx) =>
    tx.query(`insert into es.requests (org_id, owner, key, body_hash, answer) values ($1, $2, 'once', 'x', '{}')`, [
      orgId,
      owner,
    ]),
  );

test('[D20] organisations, teams, and who is active in which zone are rows here, however often they are told', async () => {
  const { orgId, thunder, maya, omar } = await threePeople();
  const formedAt = '2026-11-16T08:00:00.000Z';
  const owls = randomUUID();
  await social.tell(
    orgId,
    { type: 'OrganisationFounded', data: { name: 'Acme', timeZone: 'Africa/Lagos', foundedAt: formedAt } },
    { type: 'TeamFormed', data: { teamId: thunder, name: 'Thunder', emoji: '⚡', formedAt } },
    { type: 'TeamFormed', data: { teamId: owls, name: 'Owls', emoji: '🦉', formedAt } },
    {
      type: 'CompanySetUp',
      data: {
        name: 'Acme',
        industry: 'Healthcare',
        employeeRange: '1-25',
        brandTraits: ['bold'],
        setUpAt: formedAt,
      },
    },
    { type: 'TeamRenamed', data: { teamId: thunder, name: 'Night owls', emoji: '🌙' } },
    { type: 'TeamRetired', data: { teamId: owls } },
    {
      type: 'ProfileEdited',
      data: { userId: maya.userId, name: 'Maya O.', timeZone: 'Asia/Kathmandu', profilePhotoUrl: null },
    },
    {
      type: 'MemberDeactivated',
      data: { userId: omar.userId, teamId: omar.teamId, deactivatedAt: '2026-11-21T08:00:00.000Z' },
    },
  );
  const organisations = 'select time_zone, industry, brand_traits, is_closed from organisations where org_id = $1';
  const told = { timeZone: 'Africa/Lagos', industry: 'Healthcare', brandTraits: ['bold'], isClosed: false };
  await expect.poll(() => social.rows(orgId, organisations)).toEqual([told]);
  const teams = 'select name, emoji, is_retired from teams where org_id = $1 order by formed_position';
  await expect
    .poll(() => social.rows(orgId, teams))
    .toEqual([
      { name: 'Night owls', emoji: '🌙', isRetired: false },
      { name: 'Owls', emoji: '🦉', isRetired: true },
    ]);
  const members = 'select name, time_zone, is_active from members where org_id = $1 order by name';
  await expect
    .poll(() => social.rows(orgId, members))
    .toEqual([
      { name: 'Lena Fischer', timeZone: 'UTC', isActive: true },
      { name: 'Maya O.', timeZone: 'Asia/Kathmandu', isActive: true },
      { name: 'Omar Haddad', timeZone: 'UTC', isActive: false },
    ]);
});
