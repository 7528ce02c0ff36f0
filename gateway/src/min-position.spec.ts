import { describe, expect, test } from 'vitest';
import { formatPositions, MinPositions, parsePositions } from './min-position.ts';

describe('the position a member must see', () => {
  test.each([
    ['activity:123', { activity: 123 }],
    ['activity:123,identity:45', { activity: 123, identity: 45 }],
    ['activity:0', {}],
    ['activity:-1', {}],
    ['activity:1e999', {}],
    ['elsewhere:5', {}],
    ['', {}],
  ])('%j is read as %j', (header, positions) => {
    expect(parsePositions(header)).toEqual(positions);
  });

  test('what is written is read again', () => {
    expect(parsePositions(formatPositions({ activity: 7, scoring: 9 }))).toEqual({ activity: 7, scoring: 9 });
  });

  test('the highest position per service is kept, for each member alone', () => {
    const positions = new MinPositions();
    expect(positions.remember('maya', { activity: 5 })).toBe(true);
    expect(positions.remember('maya', { identity: 2 })).toBe(true);
    expect(positions.remember('maya', { activity: 4 })).toBe(false);
    expect(positions.of('maya')).toEqual({ activity: 5, identity: 2 });
    expect(positions.of('omar')).toBeUndefined();
  });
});
