import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { personKey } from '@caravan/contracts/events/fact-key';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { createPool, tenantQuery } from '@caravan/event-store/postgres/connections';
import { createPostgresEventStore } from '@caravan/event-store/postgres/postgres-event-store';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import fc from 'fast-check';
import { ledgerOfAll } from '../app.module.ts';
import { enterMiles } from '../ledger/ledger.service.ts';
import type { LedgerChange } from '../ledger/ledger.service.ts';
import { correctionOf, creditOf, takingBackOf } from '../ledger/log-facts.ts';
import { memberSnapshotOf } from '../ledger/member-snapshot.query.ts';

const root = resolve(import.meta.dirname, '../../../..');

export type LedgerLog = {
  readonly userId: string;
  readonly teamId: string;
  readonly centimiles: number;
  readonly day: string;
  /** When it was told; the same instant for all unless said otherwise. */
  readonly loggedAt?: string;
};
type Log = LedgerLog;

export const members = [randomUUID(), randomUUID(), randomUUID()];
export const teams = [randomUUID(), randomUUID()];
export const aLog = fc.record({
  userId: fc.constantFrom(...members),
  teamId: fc.constantFrom(...teams),
  centimiles: fc.integer({ min: 1, max: 1_440 }).map((minutes) => minutes * 10),
  day: fc.integer({ min: 0, max: 25 }).map((offset) => addDays('2026-03-16', offset)),
});

export type LedgerUnderTest = Awaited<ReturnType<typeof startLedger>>;

/** The ledger on a real database, without the messages that feed it. */
export async function startLedger() {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
  const database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  const pool = createPool(database.url);
  const store = createPostgresEventStore({ pool, service: 'scoring' });

  async function enter(orgId: string, userId: string, change: LedgerChange) {
    const meta = { orgId, actorId: null, at: new Date(), key: personKey(userId) };
    return store.transaction(meta, async (unit) => {
      await unit.tx.query('select es.lock_keys($1)', [[userId]]);
      return (await enterMiles(ledgerOfAll, unit, await memberSnapshotOf(unit.tx, { orgId, userId }), change)).after;
    });
  }

  return {
    ownerUrl: database.ownerUrl,
    /** Rows of one organisation; $1 is the organisation. */
    rows: async <Row extends object>(orgId: string, sql: string, ...values: unknown[]): Promise<Row[]> =>
      (await tenantQuery<Row>(pool, orgId, sql, [orgId, ...values])).rows,
    credit: (orgId: string, log: Log, logId = randomUUID()) =>
      enter(orgId, log.userId, creditOf(factOf(log, logId), onlyZone('Europe/Berlin'))),
    correct: (
      orgId: string,
      log: Log,
      about: { logId: string; revision: number; previous: Log; correctedAt?: string },
    ) => enter(orgId, log.userId, correction(log, about)),
    takeBack: (orgId: string, log: Log, logId: string, removedAt = '2026-04-22T12:00:00.000Z') => {
      const fact = { ...factOf(log, logId), removedAt };
      return enter(orgId, log.userId, takingBackOf(fact, randomUUID()));
    },
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** What activity tells of a log. */
function factOf(log: Log, logId: string) {
  const { userId, teamId, centimiles, day, loggedAt = '2026-04-20T12:00:00.000Z' } = log;
  return movementFact({
    logId,
    userId,
    teamId,
    centimiles,
    durationMinutes: centimiles / 10,
    startedAt: `${day}T12:00:00.000Z`,
    loggedOn: day,
    loggedAt,
  });
}

function correction(
  log: Log,
  about: { logId: string; revision: number; previous: Log; correctedAt?: string | undefined },
) {
  const { logId, revision, previous } = about;
  const before = { durationMinutes: previous.centimiles / 10, centimiles: previous.centimiles, loggedOn: previous.day };
  const correctedAt =
    about.correctedAt ?? new Date(Date.parse('2026-04-21T12:00:00.000Z') + revision * 1_000).toISOString();
  const fact = { ...factOf(log, logId), revision, correctedAt, previous: before };
  return correctionOf(fact, onlyZone('Europe/Berlin'), [randomUUID(), randomUUID()]);
}

/** Sums by any key, the plain way. */
export function sums(logs: readonly LedgerLog[], keyOf: (log: LedgerLog) => string): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const entry of logs) totals[keyOf(entry)] = (totals[keyOf(entry)] ?? 0) + entry.centimiles;
  return totals;
}

/** The runs of a set of dates: sort, then cut wherever a day is missing. */
export function runsOf(days: readonly string[]): string[] {
  const runs: { from: string; to: string }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = runs.at(-1);
    if (last && day === addDays(last.to, 1)) last.to = day;
    else runs.push({ from: day, to: day });
  }
  return runs.map(({ from, to }) => `${from}..${to}`);
}

export const sumsByKey = (found: { key: string; sum: number }[]) =>
  Object.fromEntries(found.map(({ key, sum }) => [key, sum]));
