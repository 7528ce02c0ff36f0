import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { streakDayByDay } from '@caravan/contracts/testing/streak-day-by-day';
import fc from 'fast-check';
import { earnedBadgeIds } from '../badges/badges.ts';
import { catalogue } from '../badges/catalogue.ts';
import { movementLogged, movementRemoved, type TestMember } from './scoring-under-test.ts';

type Audience = 'organisation' | 'owner';
export type Log = { readonly daysAgo: number; readonly minutes: number; readonly activityType: string };

/** At ten o'clock, which is one date in UTC and Berlin. */
export function loggedFact(member: TestMember, { daysAgo, minutes, activityType }: Log, audience: Audience) {
  const startedAt = new Date(`${dateOf(daysAgo)}T10:00:00.000Z`);
  const { data, ...about } = movementLogged(member, {
    activityType,
    startedAt,
    loggedAt: new Date(startedAt.getTime() + minutes * 60_000),
    centimiles: minutes * 10,
  });
  return { ...about, data: { ...data, audience } };
}

const today = localDateOf(new Date(), 'UTC');
export const dateOf = (daysAgo: number): string => addDays(today, -1 - daysAgo);
export const removedFact = (fact: ReturnType<typeof loggedFact>) => movementRemoved(fact);

export type Fact = {
  readonly type: string;
  readonly version: number;
  readonly orgId: string;
  readonly key: string;
  readonly data: object;
};

const log = fc.record({
  daysAgo: fc.integer({ min: 0, max: 11 }),
  minutes: fc.integer({ min: 10, max: 300 }),
  activityType: fc.constantFrom('Walking', 'Running', 'Yoga', 'Biking', 'Hiking', 'Swimming'),
});
type Act =
  | { readonly is: 'log' | 'import'; readonly log: Log }
  | { readonly is: 'remove'; readonly nth: number }
  | { readonly is: 'disconnect' | 'reconnect' };
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('log' as const), log }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('import' as const), log }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('remove' as const), nth: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('disconnect' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('reconnect' as const) }) },
);
export const history = fc.array(act, { minLength: 1, maxLength: 25 });

type Kept = { readonly fact: ReturnType<typeof loggedFact>; readonly log: Log; readonly audience: Audience };

/** The events that activity publishes for a history, and the logs after each of its acts. */
export function factsOf(member: TestMember, acts: readonly Act[]) {
  const facts: Fact[] = [];
  const states: Kept[][] = [[]];
  let kept: Kept[] = [];
  let taken: Kept[] = [];
  const add = (one: Log, audience: Audience) => {
    const fact = loggedFact(member, one, audience);
    facts.push(fact);
    kept = [...kept, { fact, log: one, audience }];
    states.push(kept);
  };
  const drop = (gone: readonly Kept[]) => {
    for (const { fact } of gone) {
      facts.push(removedFact(fact));
      kept = kept.filter((other) => other.fact !== fact);
      states.push(kept);
    }
  };
  for (const one of acts) {
    if (one.is === 'log') add(one.log, 'organisation');
    if (one.is === 'import') add(one.log, 'owner');
    if (one.is === 'remove') drop(kept.slice(one.nth, one.nth + 1));
    if (one.is === 'disconnect') {
      taken = kept.filter(({ audience }) => audience === 'owner');
      drop(taken);
    }
    if (one.is === 'reconnect') {
      for (const { log: again } of taken) add(again, 'owner');
      taken = [];
    }
  }
  return { facts, states };
}

const daysIn = (kept: readonly Kept[]) => new Set(kept.map(({ log: { daysAgo } }) => dateOf(daysAgo)));

/** The plain way, from what is there. */
export function reachedBy(kept: readonly Kept[]): string[] {
  const days = daysIn(kept);
  const [first = today] = [...days].sort();
  const lengths = [...days].map(
    (day) => streakDayByDay(new Set([...days].filter((other) => other <= day)), first, day, true).days,
  );
  return earnedBadgeIds(catalogue, {
    miles: kept.reduce((sum, { log: { minutes } }) => sum + minutes / 10, 0),
    logs: kept.length,
    activities: new Set(kept.map(({ log: { activityType } }) => activityType)).size,
    streakDays: Math.max(0, ...lengths),
  });
}

export function latestRunOf(kept: readonly Kept[]) {
  const days = daysIn(kept);
  const endedOn = [...days].sort().at(-1);
  if (endedOn === undefined) return null;
  let startedOn = endedOn;
  while (days.has(addDays(startedOn, -1))) startedOn = addDays(startedOn, -1);
  return { startedOn, endedOn };
}

export const shownIn = (kept: readonly Kept[]) => kept.filter(({ audience }) => audience === 'organisation');
