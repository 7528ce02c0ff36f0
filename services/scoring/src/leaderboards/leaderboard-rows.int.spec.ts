import { randomUUID } from '@caravan/contracts/testing/seeded';
import { addDays, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ranksOf } from './leaderboard-entry.ts';
import type { BoardEntry } from './leaderboard-entry.ts';
import { aroundSql, topSql } from './leaderboard-rows.query.ts';
import { aLog, members, startLedger } from '../testing/ledger-under-test.ts';
import type { LedgerLog, LedgerUnderTest } from '../testing/ledger-under-test.ts';

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

type Line = { centimiles: number; reachedAt: string };

/** Who has how many miles since when, the plain way: whatever changes a sum says when. */
class PlainBoard {
  private readonly lines = new Map<string, Line>();
  add(userId: string, centimiles: number, at: string): void {
    const before = this.lines.get(userId);
    this.lines.set(userId, { centimiles: (before?.centimiles ?? 0) + centimiles, reachedAt: at });
  }
  inOrder(): BoardEntry[] {
    return [...this.lines]
      .map(([userId, line]) => ({ userId, ...line }))
      .filter(({ centimiles }) => centimiles > 0)
      .sort(
        (a, b) =>
          b.centimiles - a.centimiles ||
          Number(a.reachedAt > b.reachedAt) - Number(a.reachedAt < b.reachedAt) ||
          (a.userId < b.userId ? -1 : 1),
      )
      .map(({ userId, centimiles }) => ({ userId, centimiles }));
  }
}

class PlainBoards {
  private readonly boards = new Map<string | null, PlainBoard>([[null, new PlainBoard()]]);
  of(week: string | null): PlainBoard {
    const board = this.boards.get(week) ?? new PlainBoard();
    this.boards.set(week, board);
    return board;
  }
  get weeks(): (string | null)[] {
    return [...this.boards.keys()];
  }
  credit({ userId, centimiles, day }: LedgerLog, at: string): void {
    this.of(null).add(userId, centimiles, at);
    this.of(weekStartOf(day)).add(userId, centimiles, at);
  }
  correct(before: LedgerLog, after: LedgerLog, at: string): void {
    const difference = after.centimiles - before.centimiles;
    const from = weekStartOf(before.day);
    const to = weekStartOf(after.day);
    if (difference !== 0) this.of(null).add(after.userId, difference, at);
    if (from !== to) {
      this.of(from).add(before.userId, -before.centimiles, at);
      this.of(to).add(after.userId, after.centimiles, at);
    } else if (difference !== 0) this.of(to).add(after.userId, difference, at);
  }
}

// Few figures and few dates, so that many are level.
const few = fc.integer({ min: 1, max: 2 }).map((n) => n * 100);
const offset = fc.constantFrom(0, 1, 7, 8);
const logs = fc.array(fc.record({ log: aLog, centimiles: few, offset }), { minLength: 3, maxLength: 12 });
const changes = fc.array(
  fc.record({
    which: fc.nat(),
    to: fc.option(fc.record({ centimiles: few, offset })),
  }),
  { maxLength: 12 },
);

test('[D8 D10 D12] boards of all miles and of every week are the fold of what was logged, corrected and taken back', async () => {
  const property = fc.asyncProperty(logs, changes, async (told, changed) => {
    const orgId = randomUUID();
    const plain = new PlainBoards();
    let minutes = 0;
    const next = () => new Date(Date.parse('2026-04-20T12:00:00.000Z') + 60_000 * minutes++).toISOString();
    const live: { log: LedgerLog; logId: string; revision: number }[] = [];
    for (const { log: any, centimiles, offset } of told) {
      const loggedAt = next();
      const day = addDays('2026-03-16', offset);
      const one = { log: { ...any, day, centimiles, loggedAt }, logId: randomUUID(), revision: 1 };
      live.push(one);
      await ledger.credit(orgId, one.log, one.logId);
      plain.credit(one.log, loggedAt);
    }
    for (const { which, to } of changed) {
      const one = live[which % live.length];
      if (!one) continue;
      const before = one.log;
      const at = next();
      if (to) {
        one.log = { ...before, centimiles: to.centimiles, day: addDays('2026-03-16', to.offset) };
        one.revision += 1;
        await ledger.correct(orgId, one.log, { ...one, previous: before, correctedAt: at });
        plain.correct(before, one.log, at);
      } else {
        live.splice(live.indexOf(one), 1);
        await ledger.takeBack(orgId, before, one.logId, at);
        plain.credit({ ...before, centimiles: -before.centimiles }, at);
      }
    }
    for (const week of plain.weeks) await agree(orgId, week, plain.of(week).inOrder());
  });
  await fc.assert(property, { numRuns: 60 });
}, 120_000);

/** The first two lines, and everybody with one neighbour on each side: places and ranks. */
async function agree(orgId: string, weekStartsOn: string | null, board: BoardEntry[]): Promise<void> {
  const which = { orgId, weekStartsOn };
  const ranks = ranksOf({ entries: board, above: 0, firstRank: 1 });
  expect(await ledger.rows(orgId, topSql(which), weekStartsOn, 2)).toEqual(board.slice(0, 2));
  for (const userId of members) {
    const found = await ledger.rows<BoardEntry & { above: number; rank: number }>(
      orgId,
      aroundSql(which),
      weekStartsOn,
      userId,
      1,
    );
    const place = board.findIndex((line) => line.userId === userId);
    const from = Math.max(0, place - 1);
    const expected = place < 0 ? [] : board.slice(from, place + 2);
    expect(found).toEqual(expected.map((line) => ({ ...line, above: from, rank: ranks[from] })));
  }
}
