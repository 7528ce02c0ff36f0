import { expect, test } from 'vitest';
import { beginFile, random, randomBytes, randomInt, randomUUID } from './seeded.ts';

const drawValues = (path: string) => {
  beginFile(path);
  return [randomUUID(), randomBytes(4).toString('hex'), random(), randomInt(5, 9)];
};

test('a test file draws the same values in every run of a seed, and other values than other files', () => {
  const first = drawValues('libs/a.spec.ts');
  expect(drawValues('libs/b.spec.ts')).not.toEqual(first);
  expect(drawValues('libs/a.spec.ts')).toEqual(first);
});

test('seeded identifiers are UUIDs of version 4, and 10,000 of them differ', () => {
  const ids = Array.from({ length: 10_000 }, () => randomUUID());
  expect(new Set(ids).size).toBe(10_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('seeded numbers fill their range evenly', () => {
  const drawn = Array.from({ length: 40_000 }, () => randomInt(0, 4));
  const counts = [0, 1, 2, 3].map((value) => drawn.filter((one) => one === value).length);
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(600);
});
