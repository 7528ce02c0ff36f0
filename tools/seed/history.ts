import {
  addDays,
  daysBetween,
  localDateOf,
  minutesOfDay,
  weekStartOf,
} from '@caravan/contracts/domain/time/local-days';
import type { DemoPerson } from './people.ts';

export type DemoMovement = {
  readonly person: number;
  readonly activityType: string;
  readonly durationMinutes: number;
  readonly startedAt: Date;
  readonly photoPrompt?: string;
};

/** Miles: Thunder 42.0, Blazers 38.5, once the week is a day old (D45). */
export const weekMinutes = [420, 385] as const;

const minute = 60_000;
const day = 1440 * minute;
const weeksOfHistory = 104;
/** Have been there from the start; the others came one after the other within the last year. */
const founders = 11;
const firstNewcomerWeeks = 44;
const weeksBetweenNewcomers = 3;

const weeksOf = (index: number): number =>
  index < founders ? weeksOfHistory : firstNewcomerWeeks - (index - founders) * weeksBetweenNewcomers;
const activities = [
  'Walking',
  'Walking',
  'Walking',
  'Running',
  'Biking',
  'Stretching',
  'Yoga',
  'Swimming',
  'Hiking',
  'Dancing',
];
const customActivities = [
  'Carrying the shopping up four floors',
  'Raking leaves',
  'Chasing the dog',
  'Hoovering the whole house',
];
const captions = [
  'Along the canal before breakfast',
  'Rain all the way, worth it',
  'Walked the long way round to think',
  'First one after the holidays',
  'With the whole team at lunch',
  'Sunset over the harbour',
];

/** In [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Oldest first, all in the past. Streaks end today; the running week comes to exactly `weekMinutes` per team. */
export function demoHistory(people: readonly DemoPerson[], now: Date, timeZone: string, seed = 2026): DemoMovement[] {
  const random = randomOf(seed);
  const today = localDateOf(now, timeZone);
  const weekStartedAt = startOfDay(weekStartOf(today), timeZone);
  const past = people.flatMap((person, index) => [...pastWeeks(person, index, weekStartedAt, random)]);
  const streaks = people.flatMap((person, index) => [...streak(person, index, now, timeZone)]);
  const lead = Math.max(0, ...people.map(({ streakDays = 0 }) => streakDays));
  const leadStartsAt = startOfDay(addDays(today, -lead), timeZone);
  // Nobody with a streak moved before it, or the streak would be longer.
  const history = past.filter(({ person, startedAt }) => !people[person]?.streakDays || startedAt < leadStartsAt);
  const week = weekMinutes.flatMap((minutes, team) =>
    thisWeek({ people, team, minutes, streaks, weekStartedAt, now, random }),
  );
  return [...history, ...streaks, ...week].toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
}

function* pastWeeks(
  person: DemoPerson,
  index: number,
  weekStartedAt: Date,
  random: () => number,
): Generator<DemoMovement> {
  for (let week = weeksOfHistory; week >= 1; week -= 1) {
    for (let nth = 0; nth < person.movementsPerWeek; nth += 1) {
      if (random() < 0.15) continue;
      const startedAt = new Date(
        weekStartedAt.getTime() - week * 7 * day + Math.floor(random() * 7) * day + hourOfDay(random),
      );
      const movement = describe(
        { person: index, durationMinutes: 10 + Math.floor(random() * 10) * 5, startedAt },
        random,
      );
      if (week <= weeksOf(index)) yield movement;
    }
  }
}

function* streak({ streakDays = 0 }: DemoPerson, person: number, now: Date, timeZone: string): Generator<DemoMovement> {
  const today = localDateOf(now, timeZone);
  // Just after midnight there was no time to move yet: then the streak ends yesterday.
  const last = now.getTime() - startOfDay(today, timeZone).getTime() > 30 * minute ? 0 : 1;
  for (let ago = streakDays - 1 + last; ago >= last; ago -= 1) {
    const midnight = startOfDay(addDays(today, -ago), timeZone).getTime();
    const startedAt = new Date(Math.min(midnight + 7 * 60 * minute, now.getTime() - 25 * minute));
    yield { person, activityType: 'Walking', durationMinutes: 20, startedAt, photoPrompt: 'The way to work, on foot' };
  }
}

type Week = {
  readonly people: readonly DemoPerson[];
  readonly team: number;
  readonly minutes: number;
  readonly streaks: readonly DemoMovement[];
  readonly weekStartedAt: Date;
  readonly now: Date;
  readonly random: () => number;
};

function thisWeek({ people, team, minutes, streaks, weekStartedAt, now, random }: Week): DemoMovement[] {
  const elapsed = now.getTime() - weekStartedAt.getTime();
  const wanted = Math.floor(minutes * Math.min(1, elapsed / day));
  const walked = streaks
    .filter(({ person, startedAt }) => person % 2 === team && startedAt >= weekStartedAt)
    .reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const movers = people.flatMap(({ movementsPerWeek, streakDays }, index) =>
    index % 2 === team && movementsPerWeek > 0 && !streakDays ? [index] : [],
  );
  const movements: DemoMovement[] = [];
  for (let left = wanted - walked, turn = 0; left >= 10; turn += 1) {
    const chosen = 10 + Math.floor(random() * 6) * 5;
    const durationMinutes = left - chosen < 10 ? left : chosen;
    left -= durationMinutes;
    const person = movers[turn % movers.length] ?? 0;
    const room = Math.max(0, elapsed - durationMinutes * minute);
    const startedAt = new Date(weekStartedAt.getTime() + Math.floor(random() * room));
    movements.push(describe({ person, durationMinutes, startedAt }, random));
  }
  return movements;
}

function describe(
  movement: Pick<DemoMovement, 'person' | 'durationMinutes' | 'startedAt'>,
  random: () => number,
): DemoMovement {
  const of = <Item>(items: readonly Item[], otherwise: Item) => items[Math.floor(random() * items.length)] ?? otherwise;
  const activityType = random() < 0.06 ? of(customActivities, 'Raking leaves') : of(activities, 'Walking');
  return {
    ...movement,
    activityType,
    ...(random() < 0.4 && { photoPrompt: of(captions, 'With the whole team at lunch') }),
  };
}

const hourOfDay = (random: () => number) => (6 * 60 + Math.floor(random() * 15 * 60)) * minute;

/** Where a change of clock skips 00:00, the first instant after. */
export function startOfDay(localDate: string, timeZone: string): Date {
  let instant = Date.parse(`${localDate}T00:00:00Z`);
  // Two corrections reach every offset, also when the clocks change.
  for (let step = 0; step < 2; step += 1) instant += offsetFrom(localDate, new Date(instant), timeZone);
  return new Date(instant);
}

function offsetFrom(localDate: string, instant: Date, timeZone: string): number {
  return -daysBetween(localDate, localDateOf(instant, timeZone)) * day - minutesOfDay(instant, timeZone) * minute;
}
