import { expect, test } from 'vitest';
import { nameAndRest } from './terminal.ts';

test.each([
  [[], { name: undefined, rest: [] }],
  [['scoring'], { name: 'scoring', rest: [] }],
  [['scoring', '-c', 'select 1'], { name: 'scoring', rest: ['-c', 'select 1'] }],
  [['-c', 'select 1'], { name: undefined, rest: ['-c', 'select 1'] }],
  [['-n', '5', 'scoring'], { name: undefined, rest: ['-n', '5', 'scoring'] }],
])(
  'of the words %j the first one names a part unless it is an option; the rest is for the other program',
  (words, meant) => {
    expect(nameAndRest(words)).toEqual(meant);
  },
);
