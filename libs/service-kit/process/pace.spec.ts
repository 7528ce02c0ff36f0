import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

/** A pace whose waits move its own clock. */
function pacedWork({ perSecond, atOnce }: { perSecond: number; atOnce?: number }) {
  const clock = { at: 0 };
  const wait = (milliseconds: number) => {
    clock.at += milliseconds;
    return Promise.resolve();
  };
  const pace = new Pace({ perSecond, ...(atOnce !== undefined && { atOnce }), now: () => clock.at, wait });
  return { clock, pace };
}

test('turns come evenly, the first at once', async () => {
  const { clock, pace } = pacedWork({ perSecond: 50 });
  const at: number[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    await pace.turn();
    at.push(clock.at);
  }
  expect(at).toEqual([0, 20, 40, 60]);
});

test('what a rest has left unused is not made up for', async () => {
  const { clock, pace } = pacedWork({ perSecond: 10 });
  await pace.turn();
  clock.at = 60_000;
  await pace.turn();
  expect(clock.at).toBe(60_000);
  await pace.turn();
  expect(clock.at).toBe(60_100);
});

test('so many at once wait for nothing, and again after a rest', async () => {
  const { clock, pace } = pacedWork({ perSecond: 10, atOnce: 5 });
  for (let nth = 0; nth < 5; nth += 1) await pace.turn();
  expect(clock.at).toBe(0);
  await pace.turn();
  expect(clock.at).toBe(100);
  clock.at += 10_000;
  const rested = clock.at;
  for (let nth = 0; nth < 5; nth += 1) await pace.turn();
  expect(clock.at).toBe(rested);
});

test('whoever takes turns of the same pace shares it', async () => {
  const waits: number[] = [];
  const wait = (milliseconds: number) => Promise.resolve(waits.push(milliseconds));
  const pace = new Pace({ perSecond: 10, now: () => 0, wait });
  await Promise.all(Array.from({ length: 4 }, () => pace.turn()));
  expect(waits).toEqual([100, 200, 300]);
});

test('however turns are taken, no stretch of time holds more than its share', async () => {
  const turns = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 20 })), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (all, rate, most) => {
        const { clock, pace } = pacedWork({ perSecond: rate, atOnce: most });
        const taken: { at: number; count: number }[] = [];
        for (const [rest, count] of all) {
          clock.at += rest;
          await pace.turn(count);
          taken.push({ at: clock.at, count });
        }
        for (const [nth, { at: from }] of taken.entries()) {
          let count = 0;
          for (const one of taken.slice(nth)) {
            // The last of a stretch may be larger than what was left.
            expect(count).toBeLessThanOrEqual(((one.at - from) * rate) / 1_000 + most + 1e-6);
            count += one.count;
          }
        }
      },
    ),
  );
});
