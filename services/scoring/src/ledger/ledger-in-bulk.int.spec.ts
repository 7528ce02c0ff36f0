import { randomUUID } from 'node:crypto';
import { createPool, withTenant } from '@caravan/event-store/postgres';
import { rebuild } from '@caravan/event-store/rebuild';
import type { AnyProjection } from '@caravan/event-store/replay';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aggregateSql } from '../leaderboards/pending-team-credits.store.ts';
import { ledgerOfAll } from '../app.module.ts';
import { aLog, startLedger } from '../testing/ledger-under-test.ts';
import type { LedgerLog, LedgerUnderTest } from '../testing/ledger-under-test.ts';

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

const orgId = randomUUID();

const told = [
  ...['ledger_entries', 'member_totals', 'member_weeks', 'member_days', 'streak_runs', 'pending_claim_reviews'],
  ...['team_totals', 'team_weeks', 'team_days', 'team_contributors', 'team_week_figures', 'team_week_days'],
].map((table) => {
  // A date that all movements have left counts like one without a row.
  const counts = table === 'team_week_days' ? 'movements <> 0' : 'true';
  return `select * from ${table} t where org_id = $1 and ${counts} order by t::text`;
});

const waiting = () =>
  ledger.rows<{ entryId: string }>(orgId, 'select entry_id as "entryId" from pending_team_credits where org_id = $1');

/** Brings into the sums of teams what waits beside them. */
async function aggregate(): Promise<void> {
  const pool = createPool(ledger.ownerUrl);
  const entryIds = (await waiting()).map(({ entryId }) => entryId);
  await withTenant(pool, orgId, (tx) => tx.query(aggregateSql, [orgId, entryIds, false]));
  await pool.end();
}

async function rebuilt(adapted: (projection: AnyProjection) => AnyProjection, batchSize: number) {
  for (const projection of ledgerOfAll.projections.map(adapted))
    await rebuild({
      databaseUrl: ledger.ownerUrl,
      kinds: [{ ...ledgerOfAll, projections: [projection] }],
      projection,
      batchSize,
    });
  const waited = await waiting();
  await aggregate();
  return { waited, rows: await Promise.all(told.map((sql) => ledger.rows(orgId, sql))) };
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
  expect(oneByOne.rows.map(({ length }) => length > 0)).toEqual(told.map(() => true));
  // Small stretches, so that each meets rows of the ones before.
  for (const batchSize of [1, 2_000]) {
    const inBulk = await rebuilt((projection) => projection, batchSize);
    expect(inBulk.rows).toEqual(oneByOne.rows);
    // Nothing waits for what is in the sums already.
    expect([oneByOne.waited.length > 0, inBulk.waited.length]).toEqual([true, 0]);
  }
});
