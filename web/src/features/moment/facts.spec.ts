import { expect, test } from 'vitest';
import { lanternsFor, milestoneOf, passedStop, reachesGoal } from './facts.ts';
import { lanternBox, lanternRoad, lanternsOf } from './lanterns.ts';

const today = '2026-11-19';
const first = { today, days: [{ on: today, movements: 1 }] };
const lit = (streakCount: number) => ({ streakCount, streakState: 'lit' as const });

test('[D11] the first log of the day that makes a streak 7, 14, 30, 60, 100 or 365 days long is a milestone', () => {
  const reached = Array.from({ length: 400 }, (_, days) => milestoneOf(lit(days), first, today));
  expect(reached.filter((milestone) => milestone !== null)).toEqual([7, 14, 30, 60, 100, 365]);
});

test('[D11] a second log of that day, a log of an earlier day and a streak that is not lit are no milestone', () => {
  expect(milestoneOf(lit(30), { today, days: [{ on: today, movements: 2 }] }, today)).toBeNull();
  expect(milestoneOf(lit(30), first, '2026-11-18')).toBeNull();
  expect(milestoneOf({ streakCount: 30, streakState: 'at-risk' }, first, today)).toBeNull();
});

test('a milestone has a lantern for every day, and from sixty days on one for every week', () => {
  expect([7, 14, 30, 60, 100, 365].map((days) => lanternsFor(days as 7))).toEqual([7, 14, 30, 9, 14, 52]);
});

test('lanterns stand within their picture, grow towards the viewer and are the same every time', () => {
  for (const count of [7, 14, 30, 52]) {
    const lanterns = lanternsOf(count);
    expect(lanterns).toHaveLength(count);
    for (const { x, y } of lanterns) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(lanternBox.width);
      expect(y).toBeLessThan(lanternBox.height);
    }
    expect(lanterns.map(({ size }) => size)).toEqual(lanterns.map(({ size }) => size).toSorted((a, b) => a - b));
  }
  expect(lanternRoad()).toBe(lanternRoad());
});

test('[9.5] a log reaches the goal of the week once: when it brings the week over it', () => {
  expect([reachesGoal(5.2, 5, 2), reachesGoal(5, 5, 5), reachesGoal(7.2, 5, 2), reachesGoal(4.9, 5, 2)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('[D33] a log that brings the team over a mile mark has passed that stop, the last one of several', () => {
  const stop = (name: string, mileMark: number) => ({
    name,
    mileMark,
    country: '',
    longitude: 0,
    latitude: 0,
    story: '',
  });
  const stops = [stop('Pamplona', 42), stop('Burgos', 43), stop('León', 60)];
  expect(passedStop(stops, 43.5, 2)).toBe('Burgos');
  expect(passedStop(stops, 42, 2)).toBe('Pamplona');
  expect(passedStop(stops, 50, 2)).toBeNull();
});
