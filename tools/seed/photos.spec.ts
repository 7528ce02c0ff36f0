import sharp from 'sharp';
import { expect, test } from 'vitest';
import { demoHistory } from './history.ts';
import { demoPeople } from './people.ts';
import { movementsWithPhotos } from './photos.ts';
import { pictureOf, portraitOf } from './pictures.ts';

test('[D26] ten of the newest movements that say something have a photo, two of one person at most', () => {
  const movements = demoHistory(demoPeople, new Date('2026-11-18T15:00:00Z'), 'Europe/Berlin');
  const chosen = [...movementsWithPhotos(movements)];
  expect(chosen).toHaveLength(10);
  expect(chosen.every(({ photoPrompt }) => photoPrompt !== undefined)).toBe(true);
  const perPerson = Object.values(Object.groupBy(chosen, ({ person }) => person)).map((theirs = []) => theirs.length);
  expect(Math.max(...perPerson)).toBeLessThanOrEqual(2);
});

test('the same words at another time are another picture of the same place, and every picture can be drawn', async () => {
  const first = pictureOf('Sunset over the harbour', 1);
  const second = pictureOf('Sunset over the harbour', 2);
  expect(second.alt).toBe(first.alt);
  expect(second.svg).not.toBe(first.svg);
  const sizes = await Promise.all(
    [first.svg, pictureOf('Something else', 3).svg, portraitOf(4)].map((svg) => sharp(Buffer.from(svg)).metadata()),
  );
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [1_600, 1_200],
    [1_600, 1_200],
    [800, 800],
  ]);
});
