import { randomUUID } from '@caravan/contracts/testing/seeded';
import { localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aLog as log, sumsByKey, members, runsOf, startLedger, sums, teams } from '../testing/ledger-under-test.ts';
import type { LedgerUnderTest } from '../testing/ledger-under-test.ts';

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

const rows = <Row extends object>(orgId: string, sql: string) => ledger.rows<Row>(orgId, sql);

describe('logs credited in any order', () => {
  test('[D2 D5 D10 D11] leave the sums and runs that adding up and sorting them gives', async () => {
    const property = fc.asyncProperty(fc.array(log, { minLength: 1, maxLength: 30 }), async (logs) => {
      const orgId = randomUUID();
      for (const entry of logs) await ledger.credit(orgId, entry);
      const weekOf = (day: string) => weekStartOf(localDateOf(new Date(`${day}T12:00:00.000Z`), 'Europe/Berlin'));
      expect(
        sumsByKey(await rows(orgId, 'select user_id as key, centimiles as sum from member_totals where org_id = $1')),
      ).toEqual(sums(logs, ({ userId }) => userId));
      expect(
        sumsByKey(
          await rows(
            orgId,
            `select user_id || ' ' || week_starts_on as key, centimiles as sum from member_weeks where org_id = $1`,
          ),
        ),
      ).toEqual(sums(logs, ({ userId, day }) => `${userId} ${weekOf(day)}`));
      expect(
        sumsByKey(
          await rows(
            orgId,
            'select team_id as key, sum(centimiles)::int as sum from pending_team_credits_of($1) group by 1',
          ),
        ),
      ).toEqual(sums(logs, ({ teamId }) => teamId));
      const runs = await rows<{ userId: string; run: string }>(
        orgId,
        `select user_id, started_on || '..' || ended_on as run from streak_runs where org_id = $1 order by 1, 2`,
      );
      for (const member of members)
        expect(runs.filter(({ userId }) => userId === member).map(({ run }) => run)).toEqual(
          runsOf(logs.filter(({ userId }) => userId === member).map(({ day }) => day)),
        );
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('[D11] tell the latest run that the rows hold', async () => {
    const userId = members[0] ?? '';
    const teamId = teams[0] ?? '';
    const property = fc.asyncProperty(fc.array(log, { minLength: 1, maxLength: 20 }), async (logs) => {
      const orgId = randomUUID();
      for (const { day, centimiles } of logs) {
        const after = await ledger.credit(orgId, { userId, teamId, centimiles, day });
        const [found] = await rows(
          orgId,
          `select started_on, ended_on from streak_runs where org_id = $1 order by 1 desc limit 1`,
        );
        expect(after?.latestRun).toEqual(found);
        expect(await rows(orgId, 'select centimiles from member_totals where org_id = $1')).toEqual([
          { centimiles: after?.totalCentimiles },
        ]);
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });

  test('[D5] one log credited twice, also at the same time, is one entry', async () => {
    const orgId = randomUUID();
    const logId = randomUUID();
    const entry = { userId: members[0] ?? '', teamId: teams[0] ?? '', centimiles: 300, day: '2026-03-16' };
    await Promise.all(Array.from({ length: 8 }, () => ledger.credit(orgId, entry, logId)));
    await ledger.credit(orgId, { ...entry, centimiles: 999 }, logId);
    expect(await rows(orgId, 'select centimiles, version from member_totals where org_id = $1')).toEqual([
      { centimiles: 300, version: 1 },
    ]);
    expect(await rows(orgId, 'select movements from ledger_entries where org_id = $1')).toEqual([{ movements: 1 }]);
    expect(await rows(orgId, 'select log_id from ledger_entries where org_id = $1')).toEqual([{ logId }]);
  });
});
