import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { createPool, tenantQuery } from '@caravan/event-store/postgres';
import { createPostgresEventStore } from '@caravan/event-store/postgres-event-store';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerStream, standingAfter } from '../ledger-stream.ts';
import type { CreditMiles } from './ledger.ts';
import { standingOf } from './standing.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;
let store: ReturnType<typeof createPostgresEventStore>;

beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
  store = createPostgresEventStore({ pool, service: 'scoring' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Log = { readonly userId: string; readonly teamId: string; readonly centimiles: number; readonly day: string };

const members = [randomUUID(), randomUUID(), randomUUID()];
const teams = [randomUUID(), randomUUID()];
const log = fc.record({
  userId: fc.constantFrom(...members),
  teamId: fc.constantFrom(...teams),
  centimiles: fc.integer({ min: 10, max: 14_400 }),
  day: fc.integer({ min: 0, max: 25 }).map((offset) => addDays('2026-03-16', offset)),
});

async function credit(orgId: string, { userId, teamId, centimiles, day }: Log, logId = randomUUID()) {
  const startedAt = `${day}T12:00:00.000Z`;
  const command: CreditMiles = {
    type: 'CreditMiles',
    ...{ logId, userId, teamId, centimiles, startedAt },
    ...{ creditedOn: day, loggedAt: '2026-04-20T12:00:00.000Z', timeZone: 'Europe/Berlin' },
  };
  const meta = { orgId, actorId: null, at: new Date(), key: userId };
  return store.transaction(meta, async (unit) => {
    const before = await standingOf(unit.tx, { orgId, userId });
    const after = standingAfter(before, command);
    await unit.handle(ledgerStream, logId, command, after, { fresh: true });
    return after;
  });
}

async function rows<Row extends object>(orgId: string, sql: string): Promise<Row[]> {
  return (await tenantQuery<Row>(pool, orgId, sql, [orgId])).rows;
}

/** Sums by any key, the plain way. */
function sums(logs: readonly Log[], keyOf: (log: Log) => string): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const entry of logs) totals[keyOf(entry)] = (totals[keyOf(entry)] ?? 0) + entry.centimiles;
  return totals;
}

/** The runs of a set of dates: sort, then cut wherever a day is missing. */
function runsOf(days: readonly string[]): string[] {
  const runs: { from: string; to: string }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = runs.at(-1);
    if (last && day === addDays(last.to, 1)) last.to = day;
    else runs.push({ from: day, to: day });
  }
  return runs.map(({ from, to }) => `${from}..${to}`);
}

const keyed = (found: { key: string; sum: number }[]) => Object.fromEntries(found.map(({ key, sum }) => [key, sum]));

describe('logs credited in any order', () => {
  test('[D2 D5 D10 D11] leave the sums and runs that adding up and sorting them gives', async () => {
    const property = fc.asyncProperty(fc.array(log, { minLength: 1, maxLength: 30 }), async (logs) => {
      const orgId = randomUUID();
      for (const entry of logs) await credit(orgId, entry);
      const weekOf = (day: string) => weekStartOf(localDateOf(new Date(`${day}T12:00:00.000Z`), 'Europe/Berlin'));
      expect(
        keyed(await rows(orgId, 'select user_id as key, centimiles as sum from member_totals where org_id = $1')),
      ).toEqual(sums(logs, ({ userId }) => userId));
      expect(
        keyed(
          await rows(
            orgId,
            `select user_id || ' ' || week_starts_on as key, centimiles as sum from member_weeks where org_id = $1`,
          ),
        ),
      ).toEqual(sums(logs, ({ userId, day }) => `${userId} ${weekOf(day)}`));
      expect(
        keyed(
          await rows(
            orgId,
            'select team_id as key, sum(centimiles)::int as sum from fresh_credits where org_id = $1 group by 1',
          ),
        ),
      ).toEqual(sums(logs, ({ teamId }) => teamId));
      const runs = await rows<{ userId: string; run: string }>(
        orgId,
        `select user_id as "userId", started_on || '..' || ended_on as run from streak_runs where org_id = $1 order by 1, 2`,
      );
      for (const member of members)
        expect(runs.filter(({ userId }) => userId === member).map(({ run }) => run)).toEqual(
          runsOf(logs.filter(({ userId }) => userId === member).map(({ day }) => day)),
        );
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('[D11] tell the latest run that the rows hold', async () => {
    const [userId = '', teamId = ''] = [members[0], teams[0]];
    const property = fc.asyncProperty(fc.array(log, { minLength: 1, maxLength: 20 }), async (logs) => {
      const orgId = randomUUID();
      for (const { day, centimiles } of logs) {
        const { latestRun, totalCentimiles } = await credit(orgId, { userId, teamId, centimiles, day });
        const [found] = await rows(
          orgId,
          `select started_on as "startedOn", ended_on as "endedOn" from streak_runs where org_id = $1 order by 1 desc limit 1`,
        );
        expect(latestRun).toEqual(found);
        expect(await rows(orgId, 'select centimiles from member_totals where org_id = $1')).toEqual([
          { centimiles: totalCentimiles },
        ]);
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });

  test('[D5] one log credited twice, also at the same time, is one entry', async () => {
    const [orgId, logId] = [randomUUID(), randomUUID()];
    const entry = { userId: members[0] ?? '', teamId: teams[0] ?? '', centimiles: 300, day: '2026-03-16' };
    await Promise.all(Array.from({ length: 8 }, () => credit(orgId, entry, logId)));
    await credit(orgId, { ...entry, centimiles: 999 }, logId);
    expect(await rows(orgId, 'select centimiles, version from member_totals where org_id = $1')).toEqual([
      { centimiles: 300, version: 1 },
    ]);
    expect(await rows(orgId, 'select entries from member_days where org_id = $1')).toEqual([{ entries: 1 }]);
    expect(await rows(orgId, 'select log_id as "logId" from ledger_entries where org_id = $1')).toEqual([{ logId }]);
  });
});
