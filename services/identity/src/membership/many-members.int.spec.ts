import { managedMembersSchema, memberSorts } from '@caravan/contracts/http/organisations';
import type { MembersQuery } from '@caravan/contracts/http/organisations';
import { createPatientPool, withTenant } from '@caravan/event-store/postgres/connections';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { foundOrganisation } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { type MemberKey, membersPage } from './members.query.ts';

// A page is 26 rows of four tables, each found through an index of three levels. Finding everybody so takes 40,000.
const fewBuffers = 320;
const people = 10_000;
// What the planner knows of a table is known of all organisations together: beside a large one it must not misjudge this.
const peopleNextDoor = 60_000;

let identity: IdentityUnderTest;
let admin: Visitor;
let orgId: string;
beforeAll(async () => {
  identity = await startIdentity();
  ({ admin, orgId } = await foundOrganisation(identity));
  const nextDoor = await foundOrganisation(identity);
  await crowd(orgId, people);
  await crowd(nextDoor.orgId, peopleNextDoor);
  const owner = createPatientPool(identity.ownerUrl, { max: 1 });
  await owner.query('analyze');
  await owner.end();
});
afterAll(() => identity.close());

const crowd = (into: string, count: number) =>
  identity.rows(
    `with newcomers as materialized (
        select uuidv7() as user_id, n, date_trunc('milliseconds', now()) - n * interval '1 minute' as joined_at
        from generate_series(1, $2) n),
      persons as (
        insert into persons (org_id, user_id, name, email, time_zone, created_at)
        select $1, user_id, 'Person ' || md5(n::text), 'person-' || n || '@many.test', 'UTC', joined_at from newcomers),
      members as (
        insert into memberships (org_id, user_id, team_id, role, is_active, joined_at)
        select $1, user_id, (select team_id from teams where org_id = $1 order by team_id offset n % 2 limit 1),
          case when n % 1000 = 0 then 'admin' else 'member' end, n % 10 <> 0, joined_at from newcomers)
      insert into member_scores (org_id, user_id, total_centimiles, run_started_on, run_ended_on, position)
      select $1, user_id, n % 700, case when n % 3 > 0 then date '2026-01-01' end,
        case when n % 3 > 0 then date '2026-01-01' + n % 300 end, 1 from newcomers`,
    [into, count],
  );

/** How many blocks of its tables a page touches, under the service's own role and policies. */
async function buffersOf(query: Partial<MembersQuery>, after?: MemberKey): Promise<number> {
  const page = membersPage(orgId, { sort: 'name', limit: 25, ...query }, after);
  if (!page) throw new Error('no page');
  return blocksOf(await planOf(identity.pool, orgId, page.text, page.values));
}

/** The row in the middle of ten thousand. */
async function middleOf(sort: (typeof memberSorts)[number]): Promise<MemberKey> {
  const keys = {
    name: `select name_key as key, user_id from persons`,
    joined: `select to_char(joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as key, user_id from memberships`,
    miles: `select total_centimiles as key, user_id from member_scores`,
    active: `select active_key as key, user_id from member_scores`,
  };
  const text = keys[sort.replace('-', '') as keyof typeof keys];
  const { rows } = await withTenant(identity.pool, orgId, (tx) =>
    tx.query<{ key: string | number; userId: string }>(`${text} order by 1, 2 offset 5000 limit 1`),
  );
  const [row] = rows;
  if (!row) throw new Error('no row');
  return [sort, row.key, row.userId];
}

describe('ten thousand members', () => {
  test.each(memberSorts)(
    '[D43 S24] sorted by %s, the first page and one in the middle touch few blocks',
    async (sort) => {
      expect(await buffersOf({ sort })).toBeLessThan(fewBuffers);
      expect(await buffersOf({ sort }, await middleOf(sort))).toBeLessThan(fewBuffers);
    },
  );

  test.each([{ status: 'active' }, { role: 'member' }, { status: 'active', role: 'member' }] as const)(
    '[D43] filtered by %j too',
    async (filter) => {
      for (const sort of memberSorts) expect(await buffersOf({ sort, ...filter })).toBeLessThan(1.3 * fewBuffers);
    },
  );

  test('[D43] of one team too', async () => {
    const [team] = await identity.rows<{ teamId: string }>('select team_id from teams where org_id = $1', [orgId]);
    for (const sort of memberSorts)
      expect(await buffersOf({ sort, teamId: team?.teamId ?? '' })).toBeLessThan(2 * fewBuffers);
  });

  test('[D43] a search looks at each person once at most', async () => {
    expect(await buffersOf({ q: 'person-9999@' })).toBeLessThan(1.2 * people);
    const { body } = await admin.get('/api/members?q=person-9999@');
    expect(managedMembersSchema.parse(body)).toHaveLength(1);
  });

  test('[D17] all of them can be paged through, none missing, none twice', async () => {
    const seen = new Set<string>();
    for (let path: string | undefined = '/api/members?sort=-active&limit=50'; path;) {
      const { body, headers } = await admin.get(path);
      for (const { id } of managedMembersSchema.parse(body)) seen.add(id);
      path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen.size).toBe(people + 1);
  });
});
