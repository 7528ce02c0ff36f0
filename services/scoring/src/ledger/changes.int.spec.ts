import { randomUUID } from '@caravan/contracts/testing/seeded';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import { aLog as log, sumsByKey, members, runsOf, startLedger, sums, teams } from '../testing/ledger-under-test.ts';
import type { LedgerUnderTest } from '../testing/ledger-under-test.ts';

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

const rows = <Row extends object>(orgId: string, sql: string) => ledger.rows<Row>(orgId, sql);

const tables = ['ledger_entries', 'member_totals', 'member_weeks', 'streak_runs'];
const everything = (orgId: string) =>
  Promise.all(tables.map((table) => rows(orgId, `select * from ${table} where org_id = $1 order by ${table}::text`)));
const sameDay = { teamId: teams[0] ?? '', centimiles: 300, day: '2026-03-16' };

describe('logs that are corrected and taken back', () => {
  const change = fc.record({
    which: fc.nat(),
    to: fc.option(
      fc.record({
        centimiles: fc.integer({ min: 1, max: 90 }).map((n) => n * 10),
        offset: fc.integer({ min: 0, max: 12 }),
      }),
      {
        nil: null,
      },
    ),
  });

  test('[D5 D8 D11] leave the sums, dates and runs of what is left of them, and every fact tells where that leads', async () => {
    const story = fc.record({
      logs: fc.array(log, { minLength: 1, maxLength: 10 }),
      changes: fc.array(change, { maxLength: 14 }),
    });
    const property = fc.asyncProperty(story, async ({ logs, changes }) => {
      const orgId = randomUUID();
      const live = logs.map((entry) => ({ entry, logId: randomUUID(), revision: 1 }));
      for (const { entry, logId } of live) await ledger.credit(orgId, entry, logId);
      for (const { which, to } of changes) {
        const one = live[which % live.length];
        if (!one) continue;
        const previous = one.entry;
        const entry = to ? { ...previous, centimiles: to.centimiles, day: addDays('2026-03-16', to.offset) } : previous;
        one.revision += 1;
        const after = to
          ? await ledger.correct(orgId, entry, { ...one, previous })
          : await ledger.takeBack(orgId, previous, one.logId);
        if (to) one.entry = entry;
        else live.splice(which % live.length, 1);
        if (!after) continue;
        const [total] = await rows<{ centimiles: number }>(
          orgId,
          `select centimiles from member_totals where org_id = $1 and user_id = '${previous.userId}'`,
        );
        expect(after.totalCentimiles).toBe(total?.centimiles);
        const days = live.filter((left) => left.entry.userId === previous.userId).map((left) => left.entry.day);
        expect(after.latestRun && `${after.latestRun.startedOn}..${after.latestRun.endedOn}`).toBe(
          runsOf(days).at(-1) ?? null,
        );
      }
      const left = live.map(({ entry }) => entry);
      const nonZero = (found: Record<string, number>) =>
        Object.fromEntries(Object.entries(found).filter(([, sum]) => sum !== 0));
      expect(
        nonZero(
          sumsByKey(await rows(orgId, 'select user_id as key, centimiles as sum from member_totals where org_id = $1')),
        ),
      ).toEqual(sums(left, ({ userId }) => userId));
      expect(
        sumsByKey(
          await rows(
            orgId,
            `select user_id || ' ' || credited_on as key, sum(movements)::int as sum from ledger_entries where org_id = $1
             group by 1 having sum(movements) <> 0`,
          ),
        ),
      ).toEqual(
        sums(
          left.map((entry) => ({ ...entry, centimiles: 1 })),
          ({ userId, day }) => `${userId} ${day}`,
        ),
      );
      const runs = await rows<{ userId: string; run: string }>(
        orgId,
        `select user_id, started_on || '..' || ended_on as run from streak_runs where org_id = $1 order by 1, 2`,
      );
      for (const member of members)
        expect(runs.filter(({ userId }) => userId === member).map(({ run }) => run)).toEqual(
          runsOf(left.filter(({ userId }) => userId === member).map(({ day }) => day)),
        );
    });
    await fc.assert(property, { numRuns: 30 });
  }, 120_000);

  test('[D9 I2] are the same after the ledger and the streaks are rebuilt from the log', async () => {
    const orgId = randomUUID();
    const [userId = ''] = members;
    const entry = { ...sameDay, userId };
    const logIds = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, logId] of logIds.entries())
      await ledger.credit(orgId, { ...entry, day: addDays(entry.day, index) }, logId);
    const [first = '', second = ''] = logIds;
    await ledger.correct(
      orgId,
      { ...entry, centimiles: 100, day: '2026-03-25' },
      { logId: first, revision: 2, previous: entry },
    );
    await ledger.takeBack(orgId, { ...entry, day: addDays(entry.day, 1) }, second);
    const before = await everything(orgId);
    for (const projection of ledgerOfAll.projections)
      await rebuild({
        databaseUrl: ledger.ownerUrl,
        kinds: [ledgerOfAll],
        projection,
        afterReplay: rebuildable.afterReplay,
      });
    expect(await everything(orgId)).toEqual(before);
    expect(before[0]).toHaveLength(6);
  });

  test('[D12] equal totals: who reached theirs earlier stays first, whatever is corrected without changing it', async () => {
    const orgId = randomUUID();
    const [userId = ''] = members;
    const entry = { ...sameDay, userId };
    const logId = randomUUID();
    await ledger.credit(orgId, entry, logId);
    const readReachedAt = () =>
      rows<{ at: Date }>(orgId, 'select reached_at as at from member_totals where org_id = $1');
    const [before] = await readReachedAt();
    await ledger.correct(orgId, { ...entry, day: '2026-03-18' }, { logId, revision: 2, previous: entry });
    expect(await readReachedAt()).toEqual([before]);
    await ledger.correct(
      orgId,
      { ...entry, day: '2026-03-18', centimiles: 200 },
      { logId, revision: 3, previous: { ...entry, day: '2026-03-18' } },
    );
    expect((await readReachedAt())[0]?.at.toISOString()).toBe('2026-04-21T12:00:03.000Z');
  });
});
