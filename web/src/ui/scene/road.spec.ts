// @vitest-environment node
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hillPaths, smallHillPaths, starsOf } from './hills.ts';
import { landmarkOf } from './landmarks.ts';
import { dotsAhead, milesPerDot, placeOn, roadHeightAt, shareOn, spanOfLeg } from './road.ts';

const dotsOf = (path: string) => path.split('M').length - 1;

test('[D33] a strip shows the way from twelve miles before the last stop to seven beyond the next', () => {
  expect(spanOfLeg(102, 133)).toEqual({ from: 90, to: 140 });
  const finished = spanOfLeg(484, null);
  expect([finished.from, finished.to]).toEqual([472, 491]);
});

test('a dot on the road ahead is a mile, each whole mile once', () => {
  const span = { from: 90, to: 140 };
  expect(dotsOf(dotsAhead(span, 118))).toBe(21);
  const marks = [...dotsAhead(span, 118).matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x));
  expect(marks.map((x) => Math.round(span.from + (x / 1000) * 50))).toEqual(
    Array.from({ length: 21 }, (_, nth) => 119 + nth),
  );
});

test('a long leg has a dot for every second, fifth or tenth mile, never more than sixty', () => {
  expect([30, 60, 61, 200, 500, 5000].map(milesPerDot)).toEqual([1, 1, 2, 5, 10, 100]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 0, max: 9000 }), (leg, at) => {
      const span = spanOfLeg(at, at + leg);
      expect(dotsOf(dotsAhead(span, at))).toBeLessThanOrEqual(61);
      expect(shareOn(span, at)).toBeGreaterThan(0.1);
      expect(shareOn(span, at + leg)).toBeLessThan(0.95);
    }),
  );
});

test('what stands on the road stands on its line, within the strip', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
      const height = roadHeightAt(share);
      expect(height).toBeGreaterThan(20);
      expect(height).toBeLessThan(70);
      const { left, top } = placeOn({ from: 0, to: 100 }, share * 100);
      expect([Number.parseFloat(left), Number.parseFloat(top)]).toEqual([
        expect.closeTo(share * 100, 1),
        expect.closeTo(height, 1),
      ]);
    }),
  );
});

test('hills and stars are the same for the same seed, differ between seeds, and hills take less than 4 kB compressed', () => {
  expect(hillPaths(3)).toEqual(hillPaths(3));
  expect(hillPaths(3)).not.toEqual(hillPaths(4));
  expect(smallHillPaths(7)).toEqual(smallHillPaths(7));
  expect(starsOf(26, 5)).toEqual(starsOf(26, 5));
  for (let seed = 1; seed < 40; seed += 1) {
    const { far, middle, near } = hillPaths(seed);
    expect(gzipSync(`${far}${middle}${near}`).length).toBeLessThan(4000);
    expect(`${far}${middle}${near}`).not.toContain('NaN');
  }
});

test('[D33] a stop is drawn as what its story speaks of first', () => {
  expect(landmarkOf('The old bridge over the Ebro leads to the cathedral.')).toBe('bridge');
  expect(landmarkOf('A cathedral with a live hen.')).toBe('church');
  expect(landmarkOf('A wide field and a good breakfast.')).toBe('hut');
});
