import type { StreakRun } from '@caravan/contracts/streak';
import type { Tx, PersonUnit } from '@caravan/event-store/event-store';
import { ledgerStream, figuresWith } from '../ledger-stream.ts';
import { latestAfter, latestOfAll } from '../streak-after.ts';
import type { DayChange, LatestRun } from '../streak-after.ts';
import type { LedgerCommand } from './ledger.ts';
import type { FiguresAfter } from './public-events.ts';
import type { MemberSnapshot } from './member-snapshot.query.ts';

/** What a fact about a log means for the ledger of its member. */
export type LedgerChange = {
  readonly command: LedgerCommand;
  /** By how much the member's total changes. */
  readonly centimiles: number;
  readonly days: readonly DayChange[];
};

type Whose = { readonly orgId: string; readonly userId: string };

/** Enters a change under the member's lock; answers the figures then, or null when it was no news. */
export async function enterMiles(
  unit: PersonUnit,
  before: MemberSnapshot,
  { command, centimiles, days }: LedgerChange,
): Promise<FiguresAfter | null> {
  const whose = { orgId: unit.meta.orgId, userId: unit.meta.key.id };
  const latest = latestAfter(before, days) ?? (await readLatest(unit.tx, whose, days));
  const after = figuresWith(before.centimiles + centimiles, latest);
  const fresh = command.type === 'CreditMiles';
  const { events } = await unit.handle(ledgerStream, command.logId, command, after, { fresh });
  if (events.length === 0) return null;
  await keepStart(unit.tx, whose, { before, latest });
  return after;
}

/** Reads all of a member's runs: only when something changes before the latest one, or goes. */
async function readLatest(tx: Tx, { orgId, userId }: Whose, days: readonly DayChange[]): Promise<LatestRun> {
  const { rows } = await tx.query<{ runs: StreakRun[]; movementsOn: Record<string, number> }>(
    `select (select coalesce(json_agg(r), '[]') from (
         select started_on as "startedOn", ended_on as "endedOn" from streak_runs
         where org_id = $1 and user_id = $2 order by started_on
       ) r) as runs,
       (select coalesce(json_object_agg(credited_on, entries), '{}') from member_days
         where org_id = $1 and user_id = $2 and credited_on = any($3::date[])) as "movementsOn"`,
    [orgId, userId, days.map(({ on }) => on)],
  );
  const [found] = rows;
  return found ? latestOfAll(found.runs, days, found.movementsOn) : null;
}

/** Written only when it changes: with a new run, not with every log. */
async function keepStart(
  tx: Tx,
  { orgId, userId }: Whose,
  { before, latest }: { before: MemberSnapshot; latest: LatestRun },
): Promise<void> {
  const start = latest?.start;
  if (!start) {
    await tx.query('delete from streak_starts where org_id = $1 and user_id = $2', [orgId, userId]);
    return;
  }
  const { startedOn, daysBefore, freezes } = start;
  const { start: known } = before;
  if (known?.startedOn === startedOn && known.daysBefore === daysBefore && known.freezes === freezes) return;
  await tx.query(
    `insert into streak_starts (org_id, user_id, started_on, days_before, freezes) values ($1, $2, $3, $4, $5)
     on conflict (org_id, user_id) do update set started_on = excluded.started_on, days_before = excluded.days_before,
       freezes = excluded.freezes`,
    [orgId, userId, startedOn, daysBefore, freezes],
  );
}
