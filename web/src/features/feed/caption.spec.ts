import fc from 'fast-check';
import { expect, test } from 'vitest';
import { captionLimit, shortenCaption } from './caption.ts';

test('[9.18] exactly 150 characters are not cut, 151 are', () => {
  expect(captionLimit).toBe(150);
  expect(shortenCaption('x'.repeat(150))).toBeNull();
  expect(shortenCaption('x'.repeat(151))).toBe(`${'x'.repeat(150)}…`);
});

test('[9.18] a cut never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 151, maxLength: 200 }), (caption) => {
      const cut = shortenCaption(caption);
      expect(cut === null || cut.isWellFormed()).toBe(true);
    }),
  );
});
