import { expect, test } from 'vitest';
import { daysLeft, teamsToShow, weeklyGoalMiles } from './week.ts';

test('[9.5] the weekly goal is 5 miles', () => {
  expect(weeklyGoalMiles).toBe(5);
});

test.each([
  ['2026-11-23', 7],
  ['2026-11-28', 2],
  ['2026-11-29', 1],
])('[D10] on %s the week has %i days left', (today, days) => {
  expect(daysLeft(today)).toBe(days);
});

const teams = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id, name: id, emoji: '', miles: 1, goalMiles: 50 }));
const ids = (shown: typeof teams) => shown.map(({ id }) => id).join('');

test('[D45] five teams show, and one’s own in any case', () => {
  expect(ids(teamsToShow(teams, 'a'))).toBe('abcde');
  expect(ids(teamsToShow(teams, 'g'))).toBe('abcdg');
  expect(ids(teamsToShow(teams.slice(0, 2), undefined))).toBe('ab');
});
