import { expect, test } from 'vitest';
import { judge } from '../harness.ts';
import { mergeFigures, moves, rowsOf } from './comparing.ts';

const rate = (value: number, floorSpread = 0) =>
  judge({
    goal: 'G1',
    what: `logs a second (${value * 100} of 100)`,
    value,
    wanted: { atLeast: 0.4 },
    unit: '×',
    floorSpread,
  });
const seconds = judge({ goal: 'G10', what: 'until the first page', value: 3, wanted: { atMost: 5 }, unit: ' s' });
const refusedFinding = (value: number) => {
  const why = value > 0 ? ` (${value}× busy)` : '';
  return judge({ goal: 'G7', what: `of ${value + 1} refused${why}`, value, wanted: { atMost: 0 } });
};

test('[G1] a ratio that moved by more than a fifth is said, for better and for worse', () => {
  const isOf = (before: number, now: number) => moves([rate(before)], [rate(now)]).map(({ is }) => is);
  expect([isOf(0.5, 0.41), isOf(0.5, 0.39), isOf(0.5, 0.61)]).toEqual([['as before'], ['worse'], ['better']]);
  expect(moves([refusedFinding(0)], [refusedFinding(1)]).map(({ is }) => is)).toEqual(['worse']);
});

test('[G1] a figure that was not judged is not compared', () => {
  expect(moves([rate(0.5, 0.3)], [rate(0.3)]).map(({ is }) => is)).toEqual(['not comparable']);
});

test('[G10] seconds are of a machine: they are not compared', () => {
  expect(moves([seconds], [{ ...seconds, value: 30 }])).toEqual([]);
});

test('[G7] figures are told apart by their words without what was measured, and by which of them they are', () => {
  const one = refusedFinding(0);
  const other = refusedFinding(4);
  expect(
    moves([one, other], [refusedFinding(0), refusedFinding(9)]).map(({ before, now, is }) => [before, now, is]),
  ).toEqual([
    [0, 0, 'as before'],
    [4, 9, 'worse'],
  ]);
});

test('[G1] what is kept are the figures of this run, and those of goals that it has not measured', () => {
  const about = { machine: 'two cores', versions: { node: '24' }, date: '2026-11-25' };
  const before = { ...about, findings: [rate(0.3), seconds] };
  expect(mergeFigures(before, { ...about, findings: [rate(0.5)] }).findings).toEqual([seconds, rate(0.5)]);
  expect(mergeFigures(undefined, { ...about, findings: [seconds] }).findings).toEqual([seconds]);
});

test('[G1] a run prints rows for docs/reference/performance.md', () => {
  expect(rowsOf([rate(0.5)])).toBe('| G1 | logs a second (50 of 100): 0.5× | met |\n');
});
