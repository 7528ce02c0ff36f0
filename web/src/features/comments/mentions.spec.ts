import { expect, test } from 'vitest';
import { mentionAt, mentionedIn, partsOf, pickedOf, withMention } from './mentions.ts';

test.each([
  ['hi @Om', 6, { start: 3, name: 'Om' }],
  ['@', 1, { start: 0, name: '' }],
  ['@Omar Had', 9, { start: 0, name: 'Omar Had' }],
  ['@Omar Haddad went on', 20, null],
  ['mail me@home', 12, null],
  ['nothing', 7, null],
])('in “%s” at %d the mention being typed is %j', (text, cursor, expected) => {
  expect(mentionAt(text, cursor)).toEqual(expected);
});

test('a picked name takes the place of what was typed, and counts while it stands there', () => {
  const omar = { id: 'o1', name: 'Omar Haddad' };
  expect(withMention('Well @Om done', { start: 5, name: 'Om' }, omar)).toEqual({
    text: 'Well @Omar Haddad done',
    cursor: 18,
  });
  expect(mentionedIn('@Omar Haddad and @Omar Haddad', [omar, omar])).toEqual(['o1']);
  expect(mentionedIn('@Omar', [omar])).toEqual([]);
});

test('a text falls into words and mentions; one that does not fit is words', () => {
  const text = 'Hi @Omar!';
  const mention = { start: 3, length: 5, profileId: 'o1' };
  expect(partsOf({ text, mentions: [mention, { start: 8, length: 9, profileId: null }] })).toEqual([
    { text: 'Hi ', mention: null },
    { text: '@Omar', mention: { profileId: 'o1' } },
    { text: '!', mention: null },
  ]);
  expect(pickedOf({ text, mentions: [mention, { ...mention, profileId: null }] })).toEqual([
    { id: 'o1', name: 'Omar' },
  ]);
});
