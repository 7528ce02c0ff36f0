import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  comparisonOf,
  isExact,
  isTellable,
  partsToHide,
  partsTold,
  toldOf,
  toldOfParts,
  type Told,
} from './disclosure.ts';

const exactly = (count: number) => ({ atLeast: count, atMost: count });

describe('how many of a number of people', () => {
  test.each([
    ['of fewer than five nothing is told', 2, 4, null],
    ['of five it is told that nobody did', 0, 5, exactly(0)],
    ['of five it is told that everybody did', 5, 5, exactly(5)],
    ['five of ten are told', 5, 10, exactly(5)],
    ['three of ten are told as one to four', 3, 10, { atLeast: 1, atMost: 4 }],
    ['seven of ten are told as all but one to four', 7, 10, { atLeast: 6, atMost: 9 }],
    ['nobody and everybody are told', 0, 7, exactly(0)],
    ['everybody is told', 7, 7, exactly(7)],
    ['four are told as one to four', 4, 12, { atLeast: 1, atMost: 4 }],
    ['all but one are told as all but one to four', 23, 24, { atLeast: 20, atMost: 23 }],
    ['of fewer than ten it is some', 6, 8, { atLeast: 1, atMost: 7 }],
  ])('%s', (_, count, of, told) => expect(toldOf(count, of)).toEqual(told));

  test('a range fits at least four counts: who knows the rule learns no one of them', () => {
    for (let of = 5; of <= 60; of += 1) {
      const all = Array.from({ length: of + 1 }, (_, count) => JSON.stringify(toldOf(count, of)));
      for (const [count, told] of all.entries())
        if (!isTellable(count) || !isTellable(of - count))
          expect(all.filter((other) => other === told).length).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('parts of a whole', () => {
  test.each([
    ['large ones are told each', [12, 20, 10], [[1], [0], [2]]],
    ['small ones together', [4, 12, 7], [[1], [0, 2]]],
    ['a small one with the smallest of the others', [12, 3, 20], [[2], [1, 0]]],
    ['where all are small, all of them together', [4, 3, 6], [[1, 0, 2]]],
    ['and none where the whole is small', [4, 3], []],
    ['and none where there is no part', [], []],
    ['ten together are enough', [6, 20, 4], [[1], [2, 0]]],
    ['equal ones stay in their order', [10, 20, 20, 10], [[1], [2], [0], [3]]],
  ])('%s', (_, sizes, groups) => expect(partsTold(sizes)).toEqual(groups));

  test('a team that stands alone with its range takes the smallest of the others with it', () => {
    const teams = [
      { count: 3, of: 12 },
      { count: 9, of: 18 },
      { count: 7, of: 14 },
    ];
    expect(toldOfParts(teams)).toEqual([{ atLeast: 0, atMost: 12 }, exactly(9), { atLeast: 0, atMost: 14 }]);
  });

  test('teams that are all told exactly stay so, and of a week in which one was small nothing is told', () => {
    const teams = [
      { count: 6, of: 12 },
      { count: 9, of: 18 },
    ];
    expect(toldOfParts(teams)).toEqual([exactly(6), exactly(9)]);
    expect(toldOfParts([...teams, { count: 4, of: 9 }])).toEqual([null, null, null]);
  });

  const wholeRange = (of: number) => ({ atLeast: 0, atMost: of });
  const oneToFour = { atLeast: 1, atMost: 4 };
  const eightToEleven = { atLeast: 8, atMost: 11 };
  const part = (count: number, of: number) => ({ count, of });

  test.each([
    [
      'ranges that add up to five people are safe',
      [
        [1, 12],
        [4, 12],
        [10, 20],
      ],
      [oneToFour, oneToFour, exactly(10)],
    ],
    [
      'ranges that add up to all but five people are safe',
      [
        [10, 12],
        [9, 12],
        [10, 20],
      ],
      [eightToEleven, eightToEleven, exactly(10)],
    ],
    [
      'ranges of which each must be the most that it can be take the smallest of the others with them',
      [
        [4, 12],
        [4, 12],
        [10, 20],
        [10, 30],
      ],
      [wholeRange(12), wholeRange(12), wholeRange(20), exactly(10)],
    ],
    [
      'parts are hidden until what is missing is about five people',
      [
        [1, 12],
        [0, 12],
        [5, 15],
        [10, 30],
      ],
      [wholeRange(12), wholeRange(12), wholeRange(15), exactly(10)],
    ],
    [
      'parts are hidden until what is missing is about all but five people',
      [
        [11, 12],
        [12, 12],
        [10, 20],
        [10, 30],
      ],
      [wholeRange(12), wholeRange(12), wholeRange(20), exactly(10)],
    ],
  ])('%s', (_, parts, told) => {
    expect(toldOfParts(parts.map(([count = 0, of = 0]) => part(count, of)))).toEqual(told);
  });

  const aPart = fc
    .integer({ min: 10, max: 14 })
    .chain((of) => fc.integer({ min: 0, max: of }).map((count) => ({ count, of })));

  test('nobody who adds and subtracts finds a count of a few people', () => {
    fc.assert(
      fc.property(fc.array(aPart, { minLength: 1, maxLength: 4 }), (parts) => {
        const sum = (figure: 'count' | 'of') => parts.reduce((total, part) => total + part[figure], 0);
        const whole = toldOf(sum('count'), sum('of')) ?? { atLeast: 0, atMost: sum('of') };
        // That nobody moved, or everybody, is told of the whole and holds for each part.
        if (isExact(whole) && (whole.atLeast === 0 || whole.atLeast === sum('of'))) return;
        const told = toldOfParts(parts).map((range) => range ?? { atLeast: 0, atMost: 0 });
        const possible = vectorsOf(told).filter((counts) => {
          const total = counts.reduce((all, count) => all + count, 0);
          return total >= whole.atLeast && total <= whole.atMost;
        });
        for (const [at, { count, of }] of parts.entries())
          if (!isTellable(count) || !isTellable(of - count))
            expect(new Set(possible.map((counts) => counts[at])).size).toBeGreaterThan(1);
      }),
      { numRuns: 300 },
    );
  });

  test('a part that is told exactly is right', () => {
    fc.assert(
      fc.property(fc.array(aPart, { maxLength: 6 }), (parts) => {
        for (const [at, told] of toldOfParts(parts).entries()) {
          const count = parts[at]?.count ?? 0;
          if (!told) continue;
          expect(count).toBeGreaterThanOrEqual(told.atLeast);
          expect(count).toBeLessThanOrEqual(told.atMost);
          if (isExact(told)) expect(told.atLeast).toBe(count);
        }
      }),
    );
  });
});

/** All counts that some ranges allow. */
const vectorsOf = (ranges: readonly Told[]): number[][] =>
  ranges.reduce<number[][]>(
    (all, { atLeast, atMost }) =>
      all.flatMap((some) => Array.from({ length: atMost - atLeast + 1 }, (_, nth) => [...some, atLeast + nth])),
    [[]],
  );

describe('parts of a sum that is told', () => {
  const of = (...people: number[]) => people.map((count) => ({ people: count }));
  const hiddenPeople = (...people: number[]) => [...partsToHide(of(...people))].map((part) => part.people);

  test('what a few did is hidden, and with it the smallest of the rest', () => {
    expect(hiddenPeople(12, 2, 7, 0)).toEqual([2, 7]);
    expect(hiddenPeople(12, 2, 3, 7)).toEqual([2, 3, 7]);
    expect(hiddenPeople(12, 2, 5)).toEqual([2, 5]);
  });

  test('a report about many people hides nothing', () => expect(hiddenPeople(12, 5, 0)).toEqual([]));

  test('a report about few people alone hides everything', () => expect(hiddenPeople(1, 2, 3)).toEqual([1, 2, 3]));
});

describe('a group beside the others', () => {
  const cell = (isInGroup: boolean, isAgain: boolean, times: number, people: number) => ({
    isInGroup,
    isAgain,
    times,
    people,
  });

  test('is told as shares to the nearest five per cent', () => {
    expect(
      comparisonOf([
        cell(true, true, 43, 20),
        cell(true, false, 9, 7),
        cell(false, true, 30, 12),
        cell(false, false, 31, 14),
      ]),
    ).toEqual({
      group: { atLeast: 85, atMost: 85, times: 50 },
      others: { atLeast: 50, atMost: 50, times: 60 },
    });
  });

  test('where a few did otherwise, it is more than four of five, or nothing', () => {
    expect(
      comparisonOf([
        cell(true, true, 60, 20),
        cell(true, false, 3, 2),
        cell(false, true, 12, 9),
        cell(false, false, 6, 3),
      ]),
    ).toEqual({ group: { atLeast: 80, atMost: 100, times: 60 }, others: null });
    expect(comparisonOf([cell(true, true, 2, 1), cell(true, false, 40, 20)])).toEqual({
      group: { atLeast: 0, atMost: 20, times: 40 },
      others: null,
    });
  });

  test('a figure of five people who all did the same is disclosed', () => {
    expect(comparisonOf([cell(true, true, 30, 5)]).group).toEqual({ atLeast: 100, atMost: 100, times: 30 });
    expect(comparisonOf([cell(true, false, 30, 5)]).group).toEqual({ atLeast: 0, atMost: 0, times: 30 });
  });

  test.each([
    ['four of five times, no more', cell(true, true, 40, 20), cell(true, false, 10, 2), null],
    ['more than four of five times', cell(true, true, 41, 20), cell(true, false, 9, 2), { atLeast: 80, atMost: 100 }],
    ['one of five times, no less', cell(true, true, 10, 2), cell(true, false, 40, 20), null],
    ['less than one of five times', cell(true, true, 9, 2), cell(true, false, 41, 20), { atLeast: 0, atMost: 20 }],
    ['half of the times', cell(true, true, 25, 2), cell(true, false, 25, 20), null],
  ])('where a few stand alone it is told as a range, or not at all: %s', (_, again, not, range) => {
    expect(comparisonOf([again, not]).group).toEqual(range && { ...range, times: 50 });
  });

  test('counts its times in tens, ten at least', () => {
    expect(comparisonOf([cell(true, true, 4, 5), cell(true, false, 0, 0)]).group?.times).toBe(10);
    expect(comparisonOf([cell(true, true, 14, 5)]).group?.times).toBe(10);
    expect(comparisonOf([cell(true, true, 15, 5)]).group?.times).toBe(20);
  });

  test('of a few people nothing is told', () =>
    expect(comparisonOf([cell(true, true, 30, 4), cell(true, false, 30, 3)])).toEqual({ group: null, others: null }));
});
