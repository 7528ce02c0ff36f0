import { describe, expect, test } from 'vitest';
import { MinPositions } from './min-position.ts';

const at = (position: number, epoch = 0) => ({ epoch, position });

describe('the position a member must see', () => {
  test('the highest position per service is kept, for each member alone', () => {
    const positions = new MinPositions();
    expect(positions.remember('maya', { activity: at(5) })).toBe(true);
    expect(positions.remember('maya', { identity: at(2) })).toBe(true);
    expect(positions.remember('maya', { activity: at(4) })).toBe(false);
    expect(positions.of('maya')).toEqual({ activity: at(5), identity: at(2) });
    expect(positions.of('omar')).toBeUndefined();
  });

  test('one of a newer epoch counts for higher, whatever its position', () => {
    const positions = new MinPositions();
    positions.remember('maya', { activity: at(50, 1) });
    expect(positions.remember('maya', { activity: at(3, 2) })).toBe(true);
    expect(positions.remember('maya', { activity: at(60, 1) })).toBe(false);
    expect(positions.of('maya')).toEqual({ activity: at(3, 2) });
  });

  test('[D2] the own writes are waited for for a minute, what one was shown of the own membership for an hour', () => {
    let now = 0;
    const positions = new MinPositions(() => now);
    positions.remember('maya', { activity: at(5), identity: at(2) });
    now = 60_000;
    expect(positions.of('maya')).toEqual({ identity: at(2) });
    now = 3_600_000;
    expect(positions.of('maya')).toBeUndefined();
  });

  test('[D2] what is shown again is remembered from then on; others hear of it once it is half forgotten', () => {
    let now = 0;
    const positions = new MinPositions(() => now);
    expect(positions.remember('maya', { identity: at(2) })).toBe(true);
    now = 1_000;
    expect(positions.remember('maya', { identity: at(2) })).toBe(false);
    now = 1_800_000;
    expect(positions.remember('maya', { identity: at(1) })).toBe(false);
    expect(positions.remember('maya', { identity: at(2) })).toBe(true);
    now = 5_000_000;
    expect(positions.of('maya')).toEqual({ identity: at(2) });
  });
});
