import { expect, test } from 'vitest';
import { unfitText } from './json-body.ts';

test('[S24] 32 levels of nesting are taken, 33 are not', () => {
  const nestedArrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(unfitText(nestedArrays(32))).toBeUndefined();
  expect(unfitText(nestedArrays(33))).toBe('JSON may be nested 32 levels at most');
  expect(unfitText(`{"a":${nestedArrays(32)}}`)).toBeDefined();
});

test('brackets inside text are no nesting', () => {
  expect(unfitText(JSON.stringify({ caption: `"${'[{'.repeat(100)}\\` }))).toBeUndefined();
});

test('[S35] a NUL character is refused, text that only looks like one is not', () => {
  expect(unfitText(JSON.stringify({ name: 'a\u0000b' }))).toBe('NUL characters are not allowed');
  expect(unfitText(JSON.stringify({ name: 'a\\\u0000b' }))).toBe('NUL characters are not allowed');
  expect(unfitText(JSON.stringify({ name: 'a\\u0000b' }))).toBeUndefined();
  expect(unfitText(JSON.stringify({ name: '\\\\u0000' }))).toBeUndefined();
});
