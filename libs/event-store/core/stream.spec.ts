import { describe, expect, test } from 'vitest';
import type { Upcasters } from './event-store.ts';
import v1 from '../testing/recorded/ParcelWeighed.v1.json';
import v2 from '../testing/recorded/ParcelWeighed.v2.json';
import v3 from '../testing/recorded/ParcelWeighed.v3.json';
import { currentVersion, upcast } from './stream.ts';

type V1 = typeof v1;
type V2 = typeof v2;

const upcasters: Upcasters = {
  ParcelWeighed: [
    (data) => {
      const { weight, ...rest } = data as V1;
      return { ...rest, weightGrams: Math.round(weight * 1000) };
    },
    (data) => ({ ...(data as V2), weighedBy: null }),
  ],
};

describe('an event recorded long ago', () => {
  test.each([
    ['version 1', 1, v1],
    ['version 2', 2, v2],
    ['version 3, which is today’s', 3, v3],
  ])('is read in today’s form from %s', (_, schemaVersion, data) => {
    expect(upcast(upcasters, { type: 'ParcelWeighed', schemaVersion, data })).toEqual(v3);
  });

  test('keeps its frozen form: a step builds a new object', () => {
    const frozen = Object.freeze({ ...v1 });
    upcast(upcasters, { type: 'ParcelWeighed', schemaVersion: 1, data: frozen });
    expect(frozen).toEqual(v1);
  });

  test('is refused when its version is newer than this code', () => {
    expect(() => upcast(upcasters, { type: 'ParcelWeighed', schemaVersion: 4, data: v3 })).toThrow('knows 1 to 3');
    expect(() => upcast(undefined, { type: 'ParcelSent', schemaVersion: 2, data: {} })).toThrow('knows 1 to 1');
    expect(() => upcast(undefined, { type: 'ParcelSent', schemaVersion: 0, data: {} })).toThrow('knows 1 to 1');
  });
});

describe('the version of new events', () => {
  test('is one more than the steps of its type', () => {
    expect(currentVersion(upcasters, 'ParcelWeighed')).toBe(3);
    expect(currentVersion(upcasters, 'ParcelSent')).toBe(1);
    expect(currentVersion(undefined, 'ParcelSent')).toBe(1);
  });

  test('is 1 for a type named like a property of every object', () => {
    expect(currentVersion(upcasters, 'constructor')).toBe(1);
  });
});
