import { casesOf } from '@caravan/contracts/testing/full';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import { watchStatements } from '@caravan/service-kit/testing/executed-statements';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addMember, addTeam, changeMember, changeTeam, forgetMember } from '../directory/directory.store.ts';
import { memberOf, movementLogged, type SocialUnderTest, startSocial } from '../testing/social-under-test.ts';
import { DeleteFeedChanges } from './delete-feed-changes.job.ts';
import { FeedService, SharedFeed } from './feed.service.ts';
import { writePosts } from './posts.store.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

const names = ['Ada', 'Ben', 'Cleo', 'Dan'];
/** A page behind it is the first one, which nobody shares. */
const beforeFirst: [string, string] = ['2190-12-31T23:59:59.999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

async function four() {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const members = names.map((name) => memberOf(orgId, teamId, name));
  await withSystem(social.pool, async (tx) => {
    await addTeam(tx, { orgId, teamId }, { name: 'Thunder', emoji: '⚡', position: 1 });
    for (const { userId, name } of members)
      await addMember(tx, { orgId, userId }, { teamId, name, timeZone: 'UTC', joinedOn: '2026-01-01', role: 'member' });
  });
  return { orgId, teamId, members, logs: [] as ReturnType<typeof movementLogged>['data'][] };
}
type Four = Awaited<ReturnType<typeof four>>;

const nth = fc.nat({ max: names.length - 1 });
const any = fc.nat({ max: 20 });
/** The last of them never logs. */
const actArbitrary = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('log'),
      by: fc.nat({ max: 2 }),
      isOwn: fc.boolean(),
      measured: fc.nat({ max: 3 }),
    }),
  },
  fc.record({ does: fc.constant('correct'), which: any }),
  fc.record({ does: fc.constant('remove'), which: any }),
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('show'),
      by: nth,
      flags: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('react'), by: nth, which: any }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('comment'), by: nth, which: any, isHidden: fc.boolean() }) },
  fc.record({ does: fc.constant('moderate'), isHidden: fc.boolean() }),
  fc.record({ does: fc.constant('reach') }),
  fc.record({ does: fc.constant('rename'), by: nth }),
  fc.record({ does: fc.constant('erase'), by: nth }),
);
type Act = typeof actArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** What a process does that knows of nobody's pages. */
async function happens(act: Act, { orgId, teamId, members, logs }: Four): Promise<void> {
  const member = members['by' in act ? act.by : 0];
  if (!member) throw new Error('One of four');
  const whose = { orgId, userId: member.userId };
  const log = logs['which' in act ? act.which % Math.max(logs.length, 1) : 0];
  const at = new Date();
  const acts: Record<Act['does'], (tx: Tx) => Promise<unknown>> = {
    log: (tx) => {
      const { data } = movementLogged(member, { caption: `Walk ${logs.length}` });
      const audience = 'isOwn' in act && act.isOwn ? ('owner' as const) : ('organisation' as const);
      const measured = 'measured' in act ? act.measured : 0;
      const made = { ...data, audience, heartRate: measured === 1 ? 120 : null, calories: measured === 2 ? 90 : null };
      logs.push(made);
      return writePosts(tx, [{ is: 'logged', orgId, revision: 1, log: made }]);
    },
    correct: async (tx) => {
      if (log)
        await writePosts(tx, [
          { is: 'corrected', orgId, revision: Date.now() % 1e9, log: { ...log, caption: randomUUID() } },
        ]);
    },
    remove: async (tx) => {
      if (log) await writePosts(tx, [{ is: 'removed', orgId, log }]);
    },
    show: (tx) =>
      changeMember(
        tx,
        whose,
        'activity_visible = $3, profile_visible = $4, share_heart_rate = $5, share_calories = $6',
        'flags' in act ? act.flags : [],
      ),
    react: (tx) =>
      tx.query(
        `with given as (insert into reactions values ($1, $2, $3, '💪', now()) on conflict do nothing returning 1)
         insert into reaction_counts as c select $1, $2, '💪', count(*) from given
         on conflict (org_id, log_id, emoji) do update set count = c.count + excluded.count`,
        [orgId, log?.logId ?? randomUUID(), whose.userId],
      ),
    comment: (tx) =>
      tx.query(
        `insert into comments (org_id, comment_id, entry_id, author_id, content, created_at, hidden_at)
         values ($1, $2, $3, $4, '["Well done"]', now(), $5)`,
        [orgId, randomUUID(), log?.logId ?? randomUUID(), whose.userId, 'isHidden' in act && act.isHidden ? at : null],
      ),
    moderate: (tx) =>
      tx.query('update comments set hidden_at = $2 where org_id = $1', [
        orgId,
        'isHidden' in act && act.isHidden ? at : null,
      ]),
    reach: (tx) =>
      tx.query(`insert into checkpoint_entries values ($1, $2, $3, $4, 'Stop', 'Route', 5, false, now())`, [
        orgId,
        randomUUID(),
        randomUUID(),
        teamId,
      ]),
    rename: async (tx) => {
      await changeMember(tx, whose, 'name = $3', [randomUUID()]);
      await changeTeam(tx, { orgId, teamId }, 'name = $3', [randomUUID()]);
    },
    erase: (tx) => forgetMember(tx, whose),
  };
  await withSystem(social.pool, acts[act.does]);
}

/** Both feeds of each, twice: the page as it is asked for, beside the same page read for this reader alone. */
async function pagesOf({ orgId, members }: Four) {
  const feed = social.app.get(FeedService);
  const at = new Date();
  const found = [];
  for (const { userId } of [...members, ...members])
    for (const [operation, pageOf] of [
      ['readFeedOfAll', feed.pageOfPosts.bind(feed)],
      ['readActivitiesOfAll', feed.pageOfActivities.bind(feed)],
    ] as const) {
      const reader = { orgId, userId, at };
      const pages = social.app.get(Cursors).of({ operation, reader, isForAll: true }, newestFirstKey);
      const cursor = pages.cut([1, 2], 1, () => beforeFirst).nextCursor;
      found.push({
        shown: await pageOf('all', reader, { limit: 10 }),
        own: await pageOf('all', reader, { limit: 10, cursor }),
      });
    }
  return found;
}

describe('the newest entries of an organisation', () => {
  test('[D17 D18 D21 D50] are what each reader would read alone, whatever happens, and mostly read once for all', async () => {
    const reads = vi.spyOn(SharedFeed.prototype, 'read');
    let shared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(actArbitrary, { minLength: 3, maxLength: 14 }), async (acts) => {
        const all = await four();
        for (const by of [0, 1]) await happens({ does: 'log', by, isOwn: false, measured: 0 }, all);
        for (const act of acts) {
          await happens(act, all);
          for (const { shown, own } of await pagesOf(all)) expect(shown).toEqual(own);
        }
      }),
      { numRuns: casesOf({ core: 8, full: 25 }) },
    );
    for (const { value } of reads.mock.results) if ((await value) !== undefined) shared += 1;
    expect(shared).toBeGreaterThan(30);
    reads.mockRestore();
  });

  test('[D18 S18] are not shown any more once a change that was under way when they were read has been committed', async () => {
    const all = await four();
    await happens({ does: 'log', by: 0, isOwn: false, measured: 0 }, all);
    const isShown = async () => (await pagesOf(all)).map(({ shown }) => JSON.stringify(shown).includes('Walk 0'));
    const { promise: committed, resolve: commit } = Promise.withResolvers<undefined>();
    const { promise: written, resolve: write } = Promise.withResolvers<undefined>();
    const hiding = withSystem(social.pool, async (tx) => {
      await changeMember(tx, { orgId: all.orgId, userId: all.members[0]?.userId ?? '' }, 'activity_visible = false');
      write(undefined);
      await committed;
    });
    await written;
    // Somebody else's transaction ends meanwhile, so that the one under way is not the last.
    await happens({ does: 'rename', by: 1 }, all);
    expect(await isShown()).not.toContain(false);
    commit(undefined);
    await hiding;
    const once = [true, true, false, false, false, false, false, false];
    expect(await isShown()).toEqual([...once, ...once]);
  });

  test('[G3] cost whoever reads them after three others no look at posts', async () => {
    const all = await four();
    await happens({ does: 'log', by: 0, isOwn: false, measured: 0 }, all);
    const watched = await watchStatements(social);
    const feed = social.app.get(FeedService);
    const read = (of: number) => {
      const reader = { orgId: all.orgId, userId: all.members[of]?.userId ?? '', at: new Date() };
      return feed.pageOfPosts('all', reader, { limit: 10 });
    };
    await eventually(async () => {
      // Within the second for which it is kept.
      await Promise.all([read(0), read(1), read(3)]);
      const executed = await watched.during(() => read(2));
      const texts = executed.map(({ text }) => text).filter((text) => / posts p | feed_changes c /.test(text));
      expect(texts).toEqual([expect.stringContaining('feed_changes')]);
    });
  });

  test('leave notes of their changes for a minute', async () => {
    const all = await four();
    const notes = () => social.rows<{ age: string }>(all.orgId, 'select from feed_changes where org_id = $1');
    await happens({ does: 'rename', by: 1 }, all);
    const before = (await notes()).length;
    expect(before).toBeGreaterThan(0);
    await social.app.get(DeleteFeedChanges).forget();
    expect(await notes()).toHaveLength(before);
    await withTenant(social.pool, all.orgId, (tx) =>
      tx.query(`update feed_changes set changed_at = changed_at - interval '61 seconds'`),
    );
    await social.app.get(DeleteFeedChanges).forget();
    expect(await notes()).toEqual([]);
  });
});
