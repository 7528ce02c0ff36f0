import { addDays, weekStartOf } from '@caravan/contracts/domain/time/local-days';

/** moved: with miles or movement; rest: a freeze kept the streak; due: today, nothing yet; missed and ahead: neither. */
type StoneState = 'moved' | 'rest' | 'due' | 'missed' | 'ahead';

/** A day of the week as a milestone. */
export type Stone = {
  /** YYYY-MM-DD */
  readonly on: string;
  readonly state: StoneState;
  readonly miles: number;
  /** Height of a moved day, 0 to 1 of the tallest. */
  readonly share: number;
  readonly isToday: boolean;
};

type Days = {
  readonly today: string;
  readonly days: readonly { readonly on: string; readonly miles: number; readonly movements: number }[];
  readonly restDays: readonly string[];
};

/** Short days are drawn against this many miles at least, so that a single short walk is no tower. */
const leastTallest = 2;

/** The week of today, Monday first (D10). */
export function stonesOf({ today, days, restDays }: Days): Stone[] {
  const monday = weekStartOf(today);
  const dates = Array.from({ length: 7 }, (_, nth) => addDays(monday, nth));
  const milesOn = new Map(days.filter(hasMoved).map(({ on, miles }) => [on, miles]));
  const tallest = Math.max(leastTallest, ...dates.map((on) => milesOn.get(on) ?? 0));
  return dates.map((on) => {
    const miles = milesOn.get(on);
    const state = miles === undefined ? stateOfRest(on, today, restDays) : 'moved';
    return { on, state, miles: miles ?? 0, share: (miles ?? 0) / tallest, isToday: on === today };
  });
}

const hasMoved = ({ miles, movements }: Days['days'][number]) => miles > 0 || movements > 0;

function stateOfRest(on: string, today: string, restDays: readonly string[]): StoneState {
  if (on > today) return 'ahead';
  if (on === today) return 'due';
  return restDays.includes(on) ? 'rest' : 'missed';
}

/** The last days up to today, the latest last. */
export function lastDaysOf({ today, days, restDays }: Days, count: number): { on: string; state: StoneState }[] {
  const moved = new Set(days.filter(hasMoved).map(({ on }) => on));
  return Array.from({ length: count }, (_, nth) => {
    const on = addDays(today, nth + 1 - count);
    return { on, state: moved.has(on) ? 'moved' : stateOfRest(on, today, restDays) };
  });
}
