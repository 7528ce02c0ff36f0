import { eventually } from '@caravan/event-store/testing/eventually';
import { createPatientPool } from '@caravan/event-store/postgres/connections';
import { dropWithoutLook } from '@caravan/service-kit/testing/database';
import { usualBlocks, watchStatements } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intoSetsSql } from '../ledger/index.ts';
import { LeaderboardUpkeep } from './leaderboard-upkeep.service.ts';
import { PendingTeamCredits } from './pending-team-credits.service.ts';
import { startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

const credits = 20_000;
const creditsAtOnce = 2_000;
// An index of few rows may grow a level meanwhile, or be met as a page splits, and a burst may leave what it wrote on a few
// pages more. Versions walked over would be hundreds.
const otherPages = 20;

let scoring: ScoringUnderTest;
let members: readonly TestMember[];
let orgId: string;
let statements: Awaited<ReturnType<typeof watchStatements>>;
// Sweeps by itself come every two seconds: one of them may look at a burst that is not what is measured.
let sweeper: PendingTeamCredits;

beforeAll(async () => {
  dropWithoutLook('credits that no log has earned make the way into the sums short');
  scoring = await startScoring();
  statements = await watchStatements(scoring);
  sweeper = new PendingTeamCredits(scoring.pool);
  ({ members, orgId } = await scoring.foundOrganisation(Array.from({ length: 12 }, (_, index) => `M${index}`)));
  await scoring.foundOrganisation(['Somebody else']);
  for (const member of members) await scoring.log(member, { centimiles: 100 });
  await eventually(async () =>
    expect(await scoring.rows(orgId, 'select from ledger_entries where org_id = $1')).toHaveLength(12),
  );
  await waitUntilAggregated();
});
afterAll(() => scoring.close());

const left = () => scoring.rows(orgId, 'select from pending_team_credits_of($1)');
const waitUntilAggregated = () => eventually(async () => expect(await left()).toEqual([]));

/** As an entry of $1 has brought it, of another one and worth 1. */
const oneMore = `
  select org_id, gen_random_uuid() as entry_id, user_id, team_id, credited_on, week_starts_on, 1 as centimiles,
    now() as credited_at, null::timestamptz as week_reached_at, null::smallint as movements, null::integer as minutes
  from (select *, entry_id as id from ledger_entries) e where org_id = $1`;

/** So many credits at once, until they are in the sums of their teams. */
async function credit(count: number): Promise<void> {
  await scoring.asSystem(
    intoSetsSql(
      `(select c.* from generate_series(0, $2::int - 1) nth, lateral (${oneMore} order by id offset nth % 12 limit 1) c) c`,
      'credited_at',
      1,
    ),
    [orgId, count],
  );
  scoring.app.get(LeaderboardUpkeep).settle(orgId);
  await waitUntilAggregated();
}

/** The blocks that a statement of each kind touches. */
async function blocksTouched() {
  const turns = await statements.during(async () => {
    for (let turn = 0; turn < 3; turn += 1) await credit(5);
  });
  // The first one looks at all that has come since this test looked last.
  await sweeper.sweep();
  const swept = await statements.during(async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await credit(1);
      await sweeper.sweep();
    }
  });
  const [member] = members;
  if (!member) throw new Error('nobody');
  const api = await scoring.as(member);
  const read = await statements.during(async () => {
    for (let turn = 0; turn < 3; turn += 1)
      for (const path of ['/api/leaderboard', '/api/dashboard/stats', '/api/journey'])
        expect((await api.get(path)).status).toBe(200);
  });
  return {
    'a look for pending credits': usualBlocks(turns, 'join member_totals'),
    'a move into the sums': usualBlocks(turns, 'delete from pending_team_credit_sets'),
    'a sweep for what was left behind': usualBlocks(swept, 'distinct org_id'),
    'a page with the standings of teams': usualBlocks(read, 'standings'),
    'a page with the journey': usualBlocks(read, 'from journeys'),
  };
}

test('[G13] credits on their way touch no more blocks under a held snapshot of 20,000 credits ago', async () => {
  for (let done = 0; done < credits / 4; done += creditsAtOnce) await credit(creditsAtOnce);
  const before = await blocksTouched();
  const owner = createPatientPool(scoring.ownerUrl, { max: 1 });
  const holder = await owner.connect();
  try {
    await holder.query('set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read; select 1');
    for (let done = 0; done < credits; done += creditsAtOnce) await credit(creditsAtOnce);
    const after = await blocksTouched();
    for (const [what, blocks] of Object.entries(after))
      expect(blocks, `${what}: ${JSON.stringify({ before, after })}`).toBeLessThanOrEqual(
        2 * before[what as keyof typeof before] + otherPages,
      );
  } finally {
    holder.release(true);
    await owner.end();
  }
}, 120_000);

test('a bound that was not made in this database counts for nothing, and no credit is passed over', async () => {
  const sums = () => scoring.rows(orgId, 'select sum(centimiles)::int as sum from team_totals where org_id = $1');
  const [{ sum } = { sum: 0 }] = (await sums()) as { sum: number }[];
  // As a dump brings it: the words are the same, the transaction that wrote them is another, of another count.
  await scoring.asSystem(
    `with old as (delete from credit_set_aggregations where org_id = $1 returning *)
     insert into credit_set_aggregations (org_id, ends_before, seen, xid)
     select org_id, '4000000000', '4000000000:4000000000:', '3999999999' from old
     union all select org_id, ends_before, seen, xid from old`,
    [orgId],
  );
  await credit(5);
  expect(await sums()).toEqual([{ sum: sum + 5 }]);
  await credit(5);
  expect(await sums()).toEqual([{ sum: sum + 10 }]);
});

test('[S18] a credit that commits after others of its organisation were aggregated reaches the sums', async () => {
  const sums = () => scoring.rows(orgId, 'select sum(centimiles)::int as sum from team_totals where org_id = $1');
  const [{ sum } = { sum: 0 }] = (await sums()) as { sum: number }[];
  const owner = createPatientPool(scoring.ownerUrl, { max: 1 });
  const late = await owner.connect();
  try {
    await late.query(`begin; set local app.org = 'system'`);
    await late.query(intoSetsSql(`(${oneMore} limit 1) c`, 'credited_at'), [orgId]);
    // Twice, so that what is aggregated was looked at while the late one was open.
    await credit(5);
    await credit(5);
    await late.query('commit');
  } finally {
    late.release(true);
    await owner.end();
  }
  scoring.app.get(LeaderboardUpkeep).settle(orgId);
  await waitUntilAggregated();
  expect(await sums()).toEqual([{ sum: sum + 11 }]);
});
