import { addDays } from '@caravan/contracts/domain/time/local-days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrivalDatesOf, checkpointAfter, instantOf, isDue, placeOf, postcardsOf } from './position.ts';
import { routeOfId, routes } from './position.ts';

const wall = routeOfId('hadrians-wall');
if (!wall) throw new Error('Hadrian’s Wall is bundled');
const team = (centimiles: number, checkpoint = 0) => ({
  teamId: 't',
  name: 'Thunder',
  emoji: '⚡',
  centimiles,
  checkpoint,
});

describe('a team', () => {
  test('[D33 D43] stands where its miles have brought it, and knows how far the next stop is', () => {
    expect(placeOf(wall, team(0))).toMatchObject({
      miles: 0,
      lastCheckpoint: null,
      nextCheckpoint: 'Newcastle upon Tyne',
      milesToNext: 5,
    });
    expect(placeOf(wall, team(499))).toMatchObject({ lastCheckpoint: null, milesToNext: 0.01 });
    expect(placeOf(wall, team(500))).toMatchObject({
      lastCheckpoint: 'Newcastle upon Tyne',
      nextCheckpoint: 'Heddon-on-the-Wall',
      milesToNext: 10,
    });
    expect(placeOf(wall, team(9_000))).toMatchObject({
      miles: 90,
      lastCheckpoint: 'Bowness-on-Solway',
      nextCheckpoint: null,
      milesToNext: 0,
    });
  });

  test('[D8 D33] from which a correction takes miles has been where it was', () => {
    const place = placeOf(wall, team(480, 1));
    expect(place).toMatchObject({ lastCheckpoint: 'Newcastle upon Tyne', milesToNext: 10.2 });
    expect(isDue(wall, team(480, 1))).toBe(false);
    expect(isDue(wall, team(1_500, 1))).toBe(true);
    expect(placeOf(wall, team(-50))).toMatchObject({ lastCheckpoint: null, milesToNext: 5.5 });
  });
});

/** Every route walked a hundredth of a mile at a time, once: how many checkpoints are behind at each step. */
const walks = new Map(
  routes.map(({ id, checkpoints }) => {
    let reached = 0;
    return [
      id,
      Array.from({ length: 12_001 }, (_, at) =>
        checkpoints[reached + 1]?.mileMark === at / 100 ? ++reached : reached,
      ),
    ];
  }),
);

test('[D33] where a team stands agrees with walking the route a hundredth of a mile at a time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...routes), fc.integer({ min: 0, max: 12_000 }), (route, centimiles) => {
      expect(checkpointAfter(route, centimiles)).toBe(walks.get(route.id)?.[centimiles]);
      const { miles, milesToNext, nextCheckpoint } = placeOf(route, team(centimiles));
      const next = route.checkpoints.find(({ name }) => name === nextCheckpoint);
      if (next) expect(miles + milesToNext).toBeCloseTo(next.mileMark, 6);
      else expect(milesToNext).toBe(0);
    }),
    { numRuns: 10_000 },
  );
}, 60_000);

test('[D33] days in any order, with miles taken back between, date each arrival by the first day that came so far', () => {
  const day = fc.record({
    on: fc.integer({ min: 0, max: 40 }).map((nth) => addDays('2026-03-02', nth)),
    centimiles: fc.integer({ min: -800, max: 2_500 }),
  });
  const days = fc.uniqueArray(day, { selector: ({ on }) => on, maxLength: 20, size: 'max' });
  const hit = { late: 0, takenBack: 0, several: 0, done: 0 };
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 5 }), (list, from) => {
      const found = arrivalDatesOf(wall, list, from);
      let sum = 0;
      const sums = list
        .toSorted((a, b) => (a.on < b.on ? -1 : 1))
        .map(({ on, centimiles }) => ({ on, sum: (sum += centimiles) }));
      const expected = wall.checkpoints.flatMap(({ mileMark }, checkpoint) => {
        const on = sums.find((until) => until.sum >= mileMark * 100)?.on;
        return checkpoint > from && on !== undefined ? [{ checkpoint, on }] : [];
      });
      expect(found).toEqual(expected);
      if (list.some(({ on }, nth) => on < (list[nth - 1]?.on ?? ''))) hit.late += 1;
      if (sums.some((one, nth) => one.sum < (sums[nth - 1]?.sum ?? 0))) hit.takenBack += 1;
      if (new Set(found.map(({ on }) => on)).size < found.length) hit.several += 1;
      if (found.some(({ checkpoint }) => checkpoint === wall.checkpoints.length - 1)) hit.done += 1;
    }),
    { numRuns: 10_000 },
  );
  for (const [what, times] of Object.entries(hit)) expect(times, what).toBeGreaterThan(200);
}, 60_000);

test('[D33] what was reached long ago is dated by its day, what was reached now by the moment', () => {
  const clock = { yesterday: '2026-06-14', at: new Date('2026-06-15T12:34:00.000Z') };
  expect(instantOf('2026-06-14', clock)).toBe('2026-06-15T12:34:00.000Z');
  expect(instantOf('2026-06-13', clock)).toBe('2026-06-13T12:00:00.000Z');
});

test('[D33] postcards name the places that were reached, and when', () => {
  const cards = postcardsOf(wall, [
    { checkpoint: 1, reachedAt: '2026-06-14T12:00:00Z' },
    { checkpoint: 2, reachedAt: '2026-06-15T08:30:00.500Z' },
    { checkpoint: 99, reachedAt: '2026-06-15T08:30:00.500Z' },
  ]);
  expect(cards).toEqual([
    { checkpoint: 'Newcastle upon Tyne', reachedAt: '2026-06-14T12:00:00.000Z' },
    { checkpoint: 'Heddon-on-the-Wall', reachedAt: '2026-06-15T08:30:00.500Z' },
    { checkpoint: '', reachedAt: '2026-06-15T08:30:00.500Z' },
  ]);
  expect(postcardsOf(wall, [])).toEqual([]);
});

test('[D33] routes are offered from the shortest to the longest', () => {
  const lengths = routes.map(({ totalMiles }) => totalMiles);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
});

test('[D33] a team that has been further than the route goes is shown at no place', () => {
  const place = placeOf(wall, team(0, 99));
  expect(place).toMatchObject({ lastCheckpoint: null, nextCheckpoint: null, milesToNext: 0 });
});

test('[D33] a team at a checkpoint is due once it has passed another one, not for standing there', () => {
  expect(isDue(wall, team(500, 1))).toBe(false);
  expect(isDue(wall, team(499))).toBe(false);
  expect(isDue(wall, team(500))).toBe(true);
});

test('[D33] a team is shown by its name, its emoji and its miles', () => {
  expect(placeOf(wall, team(1_234))).toMatchObject({ id: 't', name: 'Thunder', emoji: '⚡', miles: 12.34 });
});
