import { describe, expect, test } from 'vitest';
import { formatPositions, isUpTo, parsePositions } from './log-position.ts';

const at = (position: number, epoch = 0) => ({ epoch, position });

describe('positions in logs as headers', () => {
  test.each([
    ['activity:123', { activity: at(123) }],
    ['activity:123, identity:45', { activity: at(123), identity: at(45) }],
    ['activity:123@1767225600000', { activity: at(123, 1_767_225_600_000) }],
    ['activity:0,identity:45', { identity: at(45) }],
    ['activity:-1', {}],
    ['activity:1.5', {}],
    ['activity:1e999', {}],
    ['activity:1@', {}],
    ['nobody:7', {}],
    ['', {}],
    ['activity', {}],
    ['__proto__:7', {}],
  ])('%j is read as %j', (header, positions) => {
    expect(parsePositions(header)).toEqual(positions);
  });

  test('what is written is read again', () => {
    const positions = { activity: at(7, 1_767_225_600_000), scoring: at(9) };
    expect(formatPositions(positions)).toBe('activity:7@1767225600000,scoring:9');
    expect(parsePositions(formatPositions(positions))).toEqual(positions);
  });
});

test.each([
  [undefined, at(1), false],
  [at(4), at(5), false],
  [at(5), at(5), true],
  [at(6), at(5), true],
  [at(1, 2), at(5, 1), true],
  [at(9, 1), at(5, 2), false],
])('a reader at %j who must see %j: the epoch counts first', (stands, wanted, isSeen) => {
  expect(isUpTo(stands, wanted)).toBe(isSeen);
});
