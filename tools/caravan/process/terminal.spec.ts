import { UnreleasedData } from '@caravan/event-store/postgres/migrate';
import { expect, test } from 'vitest';
import { asUserError, nameAndRest } from './terminal.ts';

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

test('[ADR-0070] the launcher says how to keep data of an unreleased version and begin anew', () => {
  const { message, advice } = asUserError(new UnreleasedData('This data cannot be upgraded.'));
  expect([message, advice]).toEqual([
    'This data cannot be upgraded.',
    'Back it up with `./caravan backup <folder>` under the version that made it, then run `./caravan reset`.',
  ]);
});
