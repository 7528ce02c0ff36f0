import { randomUUID } from 'node:crypto';
import { rebuild } from '@caravan/event-store/rebuild';
import type { AnyProjection } from '@caravan/event-store/replay';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerStream } from './ledger-stream.ts';
import { aLog, startLedger } from './testing/ledger-under-test.ts';
import type { LedgerLog, LedgerUnderTest } from './testing/ledger-under-test.ts';

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

const orgId = randomUUID();

/** Sums of teams as everybody reads them: what waits for them and what they hold. */
const teamSums = (table: string, per: string, reachedAt: { fresh: string; kept: string } | null) => `
  select team_id, ${per} as per, sum(centimiles)::int as centimiles${reachedAt ? ', max(reached_at) as reached_at' : ''} from (
    select team_id, ${per}, centimiles${reachedAt ? `, ${reachedAt.kept} as reached_at` : ''} from ${table} where org_id = $1
    union all
    select team_id, ${per}, centimiles${reachedAt ? `, ${reachedAt.fresh}` : ''} from fresh_credits where org_id = $1
  ) parts group by 1, 2 order by 1, 2`;

const told = [
  ...['ledger_entries', 'member_totals', 'member_weeks', 'member_days', 'streak_runs', 'claims_in_doubt'].map(
    (table) => `select * from ${table} t where org_id = $1 order by t::text`,
  ),
  teamSums('team_weeks', 'week_starts_on', { fresh: 'coalesce(week_reached_at, credited_at)', kept: 'reached_at' }),
  teamSums('team_totals', 'org_id', { fresh: 'credited_at', kept: 'reached_at' }),
  teamSums('team_days', 'credited_on', null),
  `select team_id, user_id, max(last_on) as last_on from (
     select team_id, user_id, last_credited_on as last_on from team_contributors where org_id = $1
     union all
     select team_id, user_id, credited_on from fresh_credits where org_id = $1 and centimiles > 0
   ) parts group by 1, 2 order by 1, 2`,
];

async function rebuilt(adapted: (projection: AnyProjection) => AnyProjection, batchSize: number): Promise<object[][]> {
  for (const projection of ledgerStream.projections.map(adapted))
    await rebuild({
      databaseUrl: ledger.ownerUrl,
      kinds: [{ ...ledgerStream, projections: [projection] }],
      projection,
      batchSize,
    });
  return Promise.all(told.map((sql) => ledger.rows(orgId, sql)));
}

/** A log as it was made, corrected or not, taken back or not. */
const story = fc.record({
  log: aLog,
  correctedTo: fc.option(aLog),
  isTakenBack: fc.boolean(),
});

async function live({
  log,
  correctedTo,
  isTakenBack,
}: {
  log: LedgerLog;
  correctedTo: LedgerLog | null;
  isTakenBack: boolean;
}) {
  const logId = randomUUID();
  const { userId, teamId } = log;
  await ledger.credit(orgId, log, logId);
  const now = correctedTo ? { ...correctedTo, userId, teamId } : log;
  if (correctedTo) await ledger.correct(orgId, now, { logId, revision: 2, previous: log });
  if (isTakenBack) await ledger.takeBack(orgId, now, logId);
}

test('[I1] the ledger and the streaks rebuilt in bulk are those rebuilt entry by entry', async () => {
  for (const one of fc.sample(story, { numRuns: 120, seed: 26 })) await live(one);
  const oneByOne = await rebuilt(({ inBulk: _, ...projection }) => projection, 50);
  expect(oneByOne.map(({ length }) => length > 0)).toEqual(told.map(() => true));
  // Small stretches, so that each meets rows of the ones before.
  for (const batchSize of [1, 2_000]) expect(await rebuilt((projection) => projection, batchSize)).toEqual(oneByOne);
  // Nothing waits for what is in the sums already.
  expect(await ledger.rows(orgId, 'select from fresh_credits where org_id = $1')).toEqual([]);
});
