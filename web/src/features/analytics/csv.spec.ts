import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';
import { figures, recapsEffect } from './testing/figures.ts';

const rows = (...some: Parameters<typeof csvOf>) =>
  csvOf(...some)
    .slice('\uFEFF'.length)
    .trimEnd()
    .split('\r\n');

test('the file has a figure a row, and nothing where it would be about a few people', () => {
  const all = rows(figures, recapsEffect);
  expect(all[0]).toBe('figure,from,of what,at least,at most,of');
  expect(all).toEqual(
    expect.arrayContaining([
      'members who moved,2026-11-16,week,14,14,24',
      'members who moved,2026-11-09,week,20,23,24',
      'logs,2026-11-16,day 3,,,',
      'logs by activity,2026-11-09,Walking,38,38,61',
      'newcomers who moved,2026-10-26,week 2,1,4,12',
      'percent of team weeks with a log,2026-11-09,Thunder,60,85,12',
      'percent who moved again,,completed no challenge,,,',
      'percent who moved again,,read the recap,80,100,40',
    ]),
  );
  expect(rows(figures, null).some((row) => row.includes('recap'))).toBe(false);
});

test('what a team is called is no formula, and keeps its commas', () => {
  const [team] = figures.teams;
  if (!team) throw new Error('a team');
  const csvWithTeam = (name: string) => csvOf({ ...figures, teams: [{ ...team, names: [{ name, emoji: '' }] }] }, null);
  expect(csvWithTeam('=1+1')).toContain(",'=1+1,");
  for (const sign of ['＝', '＋', '－', '＠']) expect(csvWithTeam(`${sign}1`)).toContain(`,'${sign}1,`);
  expect(csvWithTeam('One, "two"')).toContain(',"One, ""two""",');
});
