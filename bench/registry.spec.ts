import { expect, test } from 'vitest';
import { goals, goalsAsked } from './registry.ts';

test('whoever names no goal gets all but the long ones, or the short ones, in one order', () => {
  const long = goalsAsked(['long'], false);
  expect(long).toEqual(['G12', 'G13', 'G15', 'G17', 'G8-OTHERS', 'LONG-LOG', 'SOAK']);
  expect(goalsAsked([], false)).toEqual(Object.keys(goals).filter((name) => !long.includes(name)));
  expect(goalsAsked(['soak'], false)).toEqual(['SOAK']);
  const short = goalsAsked([], true);
  expect(short[0]).toBe('G11');
  expect(short).toContain('LOAD-OVER');
  expect(short).not.toContain('G5');
});

test('goals are named in any case and order; `load` is every scenario of load', () => {
  expect(goalsAsked(['g1', 'G11'], false)).toEqual(['G11', 'G1']);
  expect(goalsAsked(['load', 'g10'], false)).toHaveLength(8);
});

test('a goal that there is none of is told, before anything is measured', () => {
  expect(() => goalsAsked(['g1', 'g99'], false)).toThrow('No goal G99');
});
