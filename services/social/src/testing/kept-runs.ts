import { addDays, daysBetween, weekStartOf } from '@caravan/contracts/local-days';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Tx } from '@caravan/event-store/event-store';
import fc from 'fast-check';
import type { addToWeeks } from '../recaps/figures.store.ts';
import { monday } from './told-weeks.ts';

type Credited = Parameters<typeof addToWeeks>[1][number];
type Step = { readonly who: number; readonly day: number; readonly team: number; readonly isBack: boolean };

const step: fc.Arbitrary<Step> = fc.record({ who: fc.nat(1), day: fc.nat(27), team: fc.nat(1), isBack: fc.boolean() });
const batch = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), isOld: fc.boolean() });

/** Full days with some gaps, which late logs close, so that there are runs over whole weeks; amid it whatever comes. */
export const keptBatches = fc
  .record({
    gaps: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
    isOld: fc.boolean(),
    before: fc.array(batch, { maxLength: 8 }),
    after: fc.array(batch, { maxLength: 1 }),
  })
  .map(({ gaps, isOld, before, after }) => {
    const of = (day: number): Step => ({ who: 0, day, team: day % 2, isBack: false });
    const days = Array.from({ length: 26 }, (_, day) => day).filter((day) => !gaps.includes(day));
    return [{ steps: days.map(of), isOld }, ...before, { steps: gaps.map(of), isOld: false }, ...after];
  });

type Run = { readonly startedOn: string; readonly endedOn: string };
const daysOf = ({ startedOn, endedOn }: Run) => daysBetween(startedOn, endedOn) + 1;

function latestRunOf(counts: ReadonlyMap<string, number>): Run | null {
  const days = new Set([...counts].filter(([, count]) => count > 0).map(([day]) => day));
  const endedOn = [...days].toSorted().at(-1);
  if (endedOn === undefined) return null;
  let startedOn = endedOn;
  while (days.has(addDays(startedOn, -1))) startedOn = addDays(startedOn, -1);
  return { startedOn, endedOn };
}

type Batch = { readonly steps: readonly Step[]; readonly isOld: boolean };
/** How many logs a member has on each day. */
type Days = Map<string, number>;

/** The credits of batches for two members, and the days that both have afterwards. */
export function creditsOf(batches: readonly Batch[], orgId: string) {
  const [members, teams] = [
    [randomUUID(), randomUUID()],
    [randomUUID(), randomUUID()],
  ];
  const daysByMember: Days[] = [new Map(), new Map()];
  let position = 0;
  const credit = ({ who, day, team, isBack }: Step) => {
    const [counts, on] = [daysByMember[who] as Days, addDays(monday, day)];
    const by = isBack && (counts.get(on) ?? 0) > 0 ? -1 : 1;
    counts.set(on, (counts.get(on) ?? 0) + by);
    const run = latestRunOf(counts);
    const data = {
      userId: members[who],
      teamId: teams[team],
      creditedOn: on,
      centimiles: 100 * by,
      latestRun: run,
      streak: run && { days: daysOf(run), freezes: 0 },
    };
    return { orgId, epochs: { scoring: 1 }, position: (position += 1), data } as unknown as Credited;
  };
  const written = batches.map(({ steps, isOld }) => ({ credits: steps.map(credit), isOld }));
  return { written, daysByMember };
}

/** Streaks that last over the whole week, counted from the days alone. */
export function weekStreaksOf(daysByMember: readonly Days[], startsOn: string, endsOn: string) {
  const kept = daysByMember.flatMap((counts) => {
    const run = latestRunOf(counts);
    return run && run.startedOn <= startsOn && run.endedOn >= endsOn ? [daysBetween(run.startedOn, endsOn) + 1] : [];
  });
  return { kept: kept.length, longestDays: Math.max(0, ...kept) };
}

/** A row of its own for the run of a member. */
export async function asReleaseBefore(tx: Tx, credits: readonly Credited[]): Promise<void> {
  for (const { orgId, data, position } of credits) {
    await tx.query(
      `insert into recap_member_weeks as w (org_id, week_starts_on, user_id, team_id, centimiles) values ($1, $2, $3, $4, $5)
       on conflict (org_id, week_starts_on, user_id, team_id) do update set centimiles = w.centimiles + excluded.centimiles`,
      [orgId, weekStartOf(data.creditedOn), data.userId, data.teamId, data.centimiles],
    );
    await tx.query(
      `insert into recap_streaks values ($1, $2, $3, $4, $5, 1, $6) on conflict (org_id, user_id) do update set
         started_on = excluded.started_on, ended_on = excluded.ended_on, days = excluded.days, position = excluded.position`,
      [orgId, data.userId, data.latestRun?.startedOn, data.latestRun?.endedOn, data.streak?.days, position],
    );
  }
}
