import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textCorpus } from '../../testing/text-corpus.ts';
import { characterCount, fittedText, mendedText, refusalOf, tidyText } from './text.ts';

const rules = [
  { maxCharacters: 40, hasLines: false },
  { maxCharacters: 40, hasLines: true },
];

describe('[D39] a stored text of before the rule', () => {
  test('stays as it is where the rule takes it', () => {
    for (const { typed, becomes } of textCorpus.filter((one) => one.becomes !== 'refused'))
      expect(mendedText(typed, { maxCharacters: 80 })).toBe(becomes);
  });

  test('becomes a text that the rule takes, whatever it was, and stays that', () => {
    const strange = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({
        unit: fc.constantFrom('a', '\u0301', '\u200d', '\u202e', '\n', '\r', '\u2028', '\u3164', '👩'),
        maxLength: 120,
      }),
    );
    fc.assert(
      fc.property(strange, fc.constantFrom(...rules), (stored, rule) => {
        const mended = mendedText(stored, rule);
        expect(refusalOf(mended, rule)).toBeUndefined();
        expect(tidyText(mended, rule)).toBe(mended);
        expect(mendedText(mended, rule)).toBe(mended);
      }),
      { numRuns: 1_000 },
    );
  });

  test('loses what turns it and keeps its words', () => {
    expect(mendedText('safe \u202egnp.exe\u2028\u2066next', { maxCharacters: 80 })).toBe('safe gnp.exe next');
    expect(mendedText('one\r\ntwo\u2028three', { maxCharacters: 80, hasLines: true })).toBe('one\ntwo\nthree');
    expect(mendedText('\u3164\u2800', { maxCharacters: 80 })).toBe('');
  });
});

describe('a tower of marks', () => {
  test.each([
    ['more marks than any script needs', `a${'\u0301\u0302'.repeat(9)}`, 'marks'],
    ['more joiners', `a${'\u200d'.repeat(17)}b`, 'marks'],
    ['the points of a Hebrew letter', 'שָּֽׁ֑', undefined],
    ['a Tibetan stack', 'ཧཱུྃ', undefined],
  ])('of %s is judged', (_, text, refusal) => {
    expect(refusalOf(tidyText(text), { maxCharacters: 40 })).toBe(refusal);
  });
});

describe('[D44] a field that is full', () => {
  test.each([
    ['takes emojis as letters', { value: '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', caret: 33, most: 3 }, { value: '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', caret: 33 }],
    [
      'keeps what was there when something is typed into its middle',
      { value: 'abXcd', caret: 3, most: 4 },
      { value: 'abcd', caret: 2 },
    ],
    ['takes of what is pasted as much as fits', { value: 'abXYZcd', caret: 5, most: 5 }, { value: 'abXcd', caret: 3 }],
    ['cuts no emoji into halves', { value: 'ab👩🏽‍🚀', caret: 9, most: 2 }, { value: 'ab', caret: 2 }],
    [
      'is cut at its end when it was too long from the beginning',
      { value: 'abcdef', caret: 0, most: 4 },
      { value: 'abcd', caret: 0 },
    ],
  ])('%s', (_, { value, caret, most }, wanted) => {
    expect(fittedText(value, caret, most)).toEqual(wanted);
  });

  test('never holds more characters than it takes, and says where the caret stands', () => {
    const typed = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(typed, fc.nat(200), fc.integer({ min: 1, max: 30 }), (value, at, most) => {
        const fitted = fittedText(value, Math.min(at, value.length), most);
        expect(characterCount(fitted.value)).toBeLessThanOrEqual(most);
        expect(fitted.caret).toBeLessThanOrEqual(fitted.value.length);
      }),
    );
  });
});
