import { addDays } from '@caravan/contracts/domain/time/local-days';
import { expect, test } from 'vitest';
import { type Beginners, cohortsOf, yearBefore } from './cohorts.ts';

const monday = '2026-03-23';
const began = (week: string, people: number, ...moved: number[]): Beginners => ({
  week,
  people,
  moved: Object.fromEntries(moved.map((count, nth) => [addDays(week, 7 * (nth + 1)), count])),
});
const exactly = (count: number) => ({ atLeast: count, atMost: count });

test('who began in a week is told of week by week, while weeks are over', () => {
  expect(cohortsOf([began('2026-03-02', 12, 7, 6, 0)], monday)).toEqual([
    { firstWeek: '2026-03-02', lastWeek: '2026-03-02', people: 12, moved: [exactly(7), exactly(6)] },
  ]);
});

test('weeks in which few began are taken together until they are ten, each counted from its own beginning', () => {
  const weeks = [began('2026-02-16', 4, 4, 3, 2, 1), began('2026-02-23', 3, 2, 2, 2), began('2026-03-02', 5, 4, 1)];
  expect(cohortsOf(weeks.toReversed(), monday)).toEqual([
    {
      firstWeek: '2026-02-16',
      lastWeek: '2026-03-02',
      people: 12,
      moved: [{ atLeast: 8, atMost: 11 }, exactly(6)],
    },
  ]);
});

test('those of the latest weeks wait until they are ten, and the running week is not over', () => {
  const weeks = [began('2026-03-02', 10, 5), began('2026-03-09', 9, 9), began('2026-03-23', 40)];
  expect(cohortsOf(weeks, monday).map(({ lastWeek }) => lastWeek)).toEqual(['2026-03-02']);
});

test('a cohort stays as it was told when others begin later', () => {
  const weeks = [began('2026-02-09', 6, 5), began('2026-02-16', 4, 4), began('2026-02-23', 3, 3)];
  const [before] = cohortsOf(weeks, monday);
  expect(cohortsOf([...weeks, began('2026-03-02', 30, 20)], monday)[0]).toEqual(before);
});

test('nobody is told of who began more than a year before the running week', () => {
  const weeksOf = (week: string) => cohortsOf([began(week, 10)], monday).map(({ firstWeek }) => firstWeek);
  expect(yearBefore(monday)).toBe('2025-03-24');
  expect(weeksOf('2025-03-24')).toEqual(['2025-03-24']);
  expect(weeksOf('2025-03-17')).toEqual([]);
});

test('of many cohorts the latest twelve are told, the earliest first', () => {
  const all = Array.from({ length: 15 }, (_, nth) => began(addDays(monday, -7 * (nth + 1)), 10));
  const told = cohortsOf(all, monday).map(({ firstWeek }) => firstWeek);
  expect(told).toEqual(Array.from({ length: 12 }, (_, nth) => addDays(monday, -7 * (12 - nth))));
});

test('a cohort is followed for the twelve weeks after its last one', () => {
  const [cohort] = cohortsOf([began(addDays(monday, -7 * 20), 10, ...Array.from({ length: 15 }, () => 5))], monday);
  expect(cohort?.moved).toEqual(Array.from({ length: 12 }, () => exactly(5)));
});

test('weeks in which none of a cohort moved are told as that', () => {
  const [cohort] = cohortsOf([began('2026-03-02', 10)], monday);
  expect(cohort?.moved).toEqual([exactly(0), exactly(0)]);
});

test('of nobody who began there is no cohort', () => {
  expect(cohortsOf([], monday)).toEqual([]);
});
