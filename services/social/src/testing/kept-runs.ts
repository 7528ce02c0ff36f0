import { addDays, daysBetween } from '@caravan/contracts/domain/time/local-days';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import fc from 'fast-check';
import type { addToWeeks } from '../recaps/figures.store.ts';
import { monday } from './told-weeks.ts';

type Credited = Parameters<typeof addToWeeks>[1][number];
type Step = { readonly who: number; readonly day: number; readonly team: number; readonly isBack: boolean };

const step: fc.Arbitrary<Step> = fc.record({ who: fc.nat(1), day: fc.nat(27), team: fc.nat(1), isBack: fc.boolean() });
const batch = fc.array(step, { minLength: 1, maxLength: 4 });

/** Full days with some gaps, which late logs close, so that there are runs over whole weeks; amid it whatever comes. */
export const keptBatches = fc
  .record({
    gaps: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
    before: fc.array(batch, { maxLength: 8 }),
    after: fc.array(batch, { maxLength: 1 }),
  })
  .map(({ gaps, before, after }) => {
    const of = (day: number): Step => ({ who: 0, day, team: day % 2, isBack: false });
    const days = Array.from({ length: 26 }, (_, day) => day).filter((day) => !gaps.includes(day));
    return [days.map(of), ...before, gaps.map(of), ...after];
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

/** How many logs a member has on each day. */
type Days = Map<string, number>;

/** The credits of batches for two members, and the days that both have afterwards. */
export function creditsOf(batches: readonly (readonly Step[])[], orgId: string) {
  const members = [randomUUID(), randomUUID()];
  const teams = [randomUUID(), randomUUID()];
  const daysByMember: Days[] = [new Map(), new Map()];
  let position = 0;
  const credit = ({ who, day, team, isBack }: Step) => {
    const counts = daysByMember[who] as Days;
    const on = addDays(monday, day);
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
  const written = batches.map((steps) => steps.map(credit));
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
