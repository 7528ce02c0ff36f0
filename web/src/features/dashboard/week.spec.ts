import { expect, test } from 'vitest';
import { weeklyGoalMiles } from '../../lib/weekly-goal.ts';
import { teamsToShow, totalsByWeek } from './week.ts';

test('[9.5] the weekly goal is 5 miles', () => {
  expect(weeklyGoalMiles).toBe(5);
});

test('the totals of eight weeks end with today’s, each less what was earned since', () => {
  const days = [
    { on: '2026-11-16', miles: 2 },
    { on: '2026-11-09', miles: 1 },
    { on: '2026-10-20', miles: 4 },
  ];
  expect(totalsByWeek({ today: '2026-11-19', days }, 100)).toEqual([93, 93, 93, 97, 97, 97, 98, 100]);
});

const teams = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id, name: id, emoji: '', miles: 1, goalMiles: 50 }));
const ids = (shown: typeof teams) => shown.map(({ id }) => id).join('');

test('[D45] five teams show, and one’s own in any case', () => {
  expect(ids(teamsToShow(teams, 'a'))).toBe('abcde');
  expect(ids(teamsToShow(teams, 'g'))).toBe('abcdg');
  expect(ids(teamsToShow(teams.slice(0, 2), undefined))).toBe('ab');
});
