import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionOf } from './version.ts';

test('[D38] equal states have one version in whatever order their fields come, others have another', () => {
  expect(versionOf({ a: 1, b: [{ c: null, d: '"' }] })).toBe(
    versionOf({ b: [{ d: '"', c: null }], a: 1, e: undefined }),
  );
  const states = fc.uniqueArray(fc.jsonValue(), {
    minLength: 2,
    maxLength: 2,
    selector: (value) => JSON.stringify(value),
  });
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  fc.assert(
    fc.property(states, ([one, other]) => {
      fc.pre(!isObject(one) && !isObject(other));
      expect(versionOf([one])).not.toBe(versionOf([other]));
    }),
  );
});

test('[D38] a version fits into a header', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (state) => {
      expect(versionOf(state)).toMatch(/^[a-z0-9]+-[a-z0-9]+$/);
    }),
  );
});
