import { expect, test } from 'vitest';
import { UploadTurns } from './upload-turns.ts';

test('[G12 S18] a few have their turn at once, the others in the order in which they came', async () => {
  const turns = new UploadTurns({ atOnce: 2, mostMilliseconds: 600_000 });
  const first = await turns.next();
  const second = await turns.next();
  const begun: string[] = [];
  const begins = async (name: string) => {
    const turn = await turns.next();
    begun.push(name);
    return turn;
  };
  const third = begins('third');
  const fourth = begins('fourth');
  await Promise.resolve();
  expect(begun).toEqual([]);
  first.end();
  // Its place is given on once.
  first.end();
  const thirds = await third;
  expect(begun).toEqual(['third']);
  thirds.end();
  second.end();
  (await fourth).end();
});

test('[S18] a turn ends by itself: who stands still keeps nobody', async () => {
  const turns = new UploadTurns({ atOnce: 1, mostMilliseconds: 1 });
  const still = await turns.next();
  const next = await turns.next();
  expect(still.isOver).toBe(true);
  next.end();
});
