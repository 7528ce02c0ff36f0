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

  test('[D2] the own writes are waited for for a minute, what one was shown of the own membership for an hour', () => {
    let now = 0;
    const positions = new MinPositions(() => now);
    positions.remember('maya', { activity: 5, identity: 2 });
    now = 60_000;
    expect(positions.of('maya')).toEqual({ identity: 2 });
    now = 3_600_000;
    expect(positions.of('maya')).toBeUndefined();
  });

  test('[D2] what is shown again is remembered from then on; others hear of it once it is half forgotten', () => {
    let now = 0;
    const positions = new MinPositions(() => now);
    expect(positions.remember('maya', { identity: 2 })).toBe(true);
    now = 1_000;
    expect(positions.remember('maya', { identity: 2 })).toBe(false);
    now = 1_800_000;
    expect(positions.remember('maya', { identity: 1 })).toBe(false);
    expect(positions.remember('maya', { identity: 2 })).toBe(true);
    now = 5_000_000;
    expect(positions.of('maya')).toEqual({ identity: 2 });
  });
});
