import { expect, test } from 'vitest';
import { firstNameOf } from './first-name.ts';

test.each([
  ['Maya Okafor', 'Maya'],
  ['  Maximiliana   Featherstonehaugh-Cholmondeley', 'Maximiliana'],
  ['Anne-Marie de la Tour', 'Anne-Marie'],
  ['Plato', 'Plato'],
  ['王小明', '王小明'],
  ['مايا أوكافور', 'مايا'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['J Robert Oppenheimer', 'J Robert Oppenheimer'],
  ['Dr. Priya Raman', 'Dr. Priya Raman'],
  ['', ''],
])('%j is greeted as %j', (name, greeted) => {
  expect(firstNameOf(name)).toBe(greeted);
});
