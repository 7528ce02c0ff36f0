import { describe, expect, test } from 'vitest';
import { isSameText, textKey } from './text-key.ts';

describe('[D2] two names are one', () => {
  test.each([
    ['in any case', 'FOXES', 'foxes'],
    ['in any case of any script', 'ΟΔΟΣ', 'οδος'],
    ['with a sharp s', 'Straße', 'STRASSE'],
    ['composed or not', 'Zoe\u0308', 'ZOË'],
    ['with any apostrophe', 'Zoë’s Foxes', "zoë's foxes"],
    ['with any space', 'Night\u00a0Owls', 'night  owls '],
    ['with characters that are not seen', 'Fo\u200bxes\ufe0f', 'foxes'],
  ])('%s', (_, one, other) => {
    expect(isSameText(one, other)).toBe(true);
  });

  test.each([
    ['with and without an accent', 'Zoë', 'Zoe'],
    ['of other words', 'Foxes', 'Boxes'],
    ['of other emojis', '🦊', '🐺'],
  ])('but not %s', (_, one, other) => {
    expect(isSameText(one, other)).toBe(false);
  });

  test('a key has itself as its key', () => {
    for (const name of ['ΐ', 'İstanbul', 'ŉ', 'ẞ', 'ﬃ', 'Ǆ', 'ᾳ']) expect(textKey(textKey(name))).toBe(textKey(name));
  });
});
