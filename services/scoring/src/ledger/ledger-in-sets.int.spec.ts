import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPatientPool, withTenant } from '@caravan/event-store/postgres/connections';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aggregateSql } from '../leaderboards/pending-team-credits.store.ts';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import { aLog, startLedger } from '../testing/ledger-under-test.ts';
import type { LedgerLog, LedgerUnderTest } from '../testing/ledger-under-test.ts';

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

const orgId = randomUUID();

const told = [
  'ledger_entries',
  'member_totals',
  'member_weeks',
  'streak_runs',
  'streak_starts',
  'pending_claim_reviews',
  'team_totals',
  'team_weeks',
  'team_days',
  'team_contributors',
  'team_week_days',
].map((table) => {
  // A date that all movements have left counts like one without a row.
  const counts = table === 'team_week_days' ? 'movements <> 0' : 'true';
  return `select * from ${table} t where org_id = $1 and ${counts} order by t::text`;
});

const waiting = () =>
  ledger.rows<{ setId: string }>(orgId, 'select set_id from pending_team_credit_sets where org_id = $1');

/** Brings into the sums of teams what waits beside them. */
async function aggregate(): Promise<void> {
  const pool = createPatientPool(ledger.ownerUrl);
  const setIds = (await waiting()).map(({ setId }) => setId);
  await withTenant(pool, orgId, (tx) => tx.query(aggregateSql, [orgId, setIds]));
  await pool.end();
}

const everything = () => Promise.all(told.map((sql) => ledger.rows(orgId, sql)));

async function rebuilt(batchSize: number) {
  for (const projection of ledgerOfAll.projections)
    await rebuild({ ...rebuildable, databaseUrl: ledger.ownerUrl, projection, batchSize });
  return { waiting: (await waiting()).length, rows: await everything() };
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

test('[I1 D11] the ledger and the streaks rebuilt, entry by entry or in sets, are those that lived', async () => {
  for (const one of fc.sample(story, { numRuns: 120, seed: 26 })) await live(one);
  await aggregate();
  const lived = await everything();
  expect(lived.map(({ length }) => length > 0)).toEqual(told.map(() => true));
  // Small sets, so that each meets rows of the ones before.
  for (const batchSize of [1, 7, 2_000]) expect(await rebuilt(batchSize)).toEqual({ waiting: 0, rows: lived });
});
