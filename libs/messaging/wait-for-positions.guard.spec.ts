import { expect, test } from 'vitest';
import { minPositionsOf } from './wait-for-positions.guard.ts';

test.each([
  ['activity:123', { activity: 123 }],
  ['activity:123, identity:45', { activity: 123, identity: 45 }],
  ['activity:0,identity:45', { identity: 45 }],
  ['activity:-1', {}],
  ['activity:1.5', {}],
  ['nobody:7', {}],
  ['', {}],
  ['activity', {}],
  ['__proto__:7', {}],
])('X-Min-Position %j means %j', (header, positions) => {
  expect(minPositionsOf(header)).toEqual(positions);
});
