import { randomUUID } from '@caravan/contracts/testing/seeded';
import { commentReasonSchema, commentRequestSchema } from '@caravan/contracts/http/comments';
import { Rejected } from '@caravan/kernel/rejected';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentOf, contentOf, type CommentRow, refuseEditing, shownOf } from './comment.ts';

const maya = { id: 'm1', name: 'Maya' };
const mayaO = { id: 'm2', name: 'Maya Okafor' };
const omar = { id: 'o1', name: 'Ömar (100%)' };
const shownMembers = (...all: { id: string; name: string }[]) =>
  Object.fromEntries(all.map(({ id, name }) => [id, { name, profileId: id }]));

describe('a mention', () => {
  test('[D50] is kept as an id where the @name stands, the longest name first', () => {
    expect(contentOf('Hi @Maya Okafor, hi @Maya and @Ömar (100%)!', [maya, mayaO, omar])).toEqual([
      'Hi ',
      { member: 'm2' },
      ', hi ',
      { member: 'm1' },
      ' and ',
      { member: 'o1' },
      '!',
    ]);
  });

  test.each(['Hi @Mayas', 'Hi Maya', 'mail@example.org', 'Hi @maya'])('[D50] %j is none', (text) => {
    expect(contentOf(text, [maya])).toEqual([text]);
  });

  test('[D50] of two of one name the first stands first', () => {
    const twin = { id: 'm3', name: 'Maya' };
    expect(contentOf('@Maya @Maya @Maya', [maya, twin])).toEqual([
      { member: 'm1' },
      ' ',
      { member: 'm3' },
      ' ',
      { member: 'm3' },
    ]);
  });

  test('[D18 D50] says the name that the reader may know now, and where it stands', () => {
    const content = ['🎉 ', { member: 'm1' }, ' and ', { member: 'gone' }];
    expect(shownOf(content, shownMembers({ ...maya, name: 'Maya O.' }))).toEqual({
      text: '🎉 @Maya O. and @A teammate',
      mentions: [
        { start: 3, length: 8, profileId: 'm1' },
        { start: 16, length: 11, profileId: null },
      ],
    });
  });

  test('[D50] no text is lost, whatever was typed and whoever is mentioned', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('@', '@Maya', '@Maya Okafor', '@Ömar (100%)', ' ', '$&', '\\'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.subarray([maya, mayaO, omar]), (pieces, mentioned) => {
        const text = pieces.join('');
        expect(shownOf(contentOf(text, mentioned), shownMembers(...mentioned)).text).toBe(text);
      }),
    );
  });
});

const row: CommentRow = {
  id: 'c1',
  isMine: true,
  name: 'Maya',
  avatar: null,
  profileId: 'm1',
  content: ['Well done'],
  mentioned: {},
  createdAt: new Date('2026-11-16T10:00:00.000Z'),
  editedAt: null,
  isHidden: false,
  hiddenReason: null,
};

describe('a comment', () => {
  test('[D53] is shown as the contract says', () => {
    expect(commentOf(row)).toEqual({
      id: 'c1',
      user: { name: 'Maya', avatar: null, profileId: 'm1' },
      text: 'Well done',
      mentions: [],
      createdAt: '2026-11-16T10:00:00.000Z',
      editedAt: null,
      isMine: true,
      hidden: null,
    });
  });

  test('[D50] that an admin has hidden says why to its author, to nobody else', () => {
    const hidden = { ...row, isHidden: true, hiddenReason: 'Not kind' };
    expect(commentOf(hidden).hidden).toEqual({ reason: 'Not kind' });
    expect(commentOf({ ...hidden, isMine: false }).hidden).toBeNull();
    expect(() => refuseEditing(hidden, row.createdAt)).toThrow(Rejected);
  });

  test('[D50] can be edited for five minutes', () => {
    expect(() => refuseEditing(row, new Date('2026-11-16T10:05:00.000Z'))).not.toThrow();
    expect(() => refuseEditing(row, new Date('2026-11-16T10:05:00.001Z'))).toThrow('edited for 5 minutes');
  });
});

describe('what is typed', () => {
  const readText = (text: unknown) => {
    const { success, data, error } = commentRequestSchema.safeParse({ text });
    return success ? data.text : error.issues[0]?.message;
  };
  test.each([
    ['<b>bold</b> & <script>alert(1)</script>', '<b>bold</b> & <script>alert(1)</script>'],
    ['two\nlines', 'two\nlines'],
    ['أحسنت! 👩‍👩‍👧', 'أحسنت! 👩‍👩‍👧'],
    ['🎉'.repeat(500), '🎉'.repeat(500)],
    ['  trimmed ', 'trimmed'],
    ['x'.repeat(501), 'A comment has at most 500 characters'],
    ['x'.repeat(10_000), 'A comment has at most 500 characters'],
    ['safe \u202egnp.exe', 'Characters that turn the direction of text are not allowed'],
    ['\u2067isolated\u2069', 'Characters that turn the direction of text are not allowed'],
    ['nul \u0000', 'Control characters are not allowed'],
    ['half \ud83d', 'The text contains a broken character'],
    ['', 'Write a comment first'],
    [' \u200b ', 'Write a comment first'],
    [null, 'Write a comment first'],
    [undefined, 'Write a comment first'],
    [5, 'Write a comment first'],
    [{}, 'Write a comment first'],
  ])('[D38 D50] %j is answered with %j', (text, answer) => {
    expect(readText(text)).toBe(answer);
  });

  test('[D38 D50] mentions are ids, ten at most; a reason is not empty', () => {
    const mentions = (ids: unknown) =>
      commentRequestSchema.safeParse({ text: 'Hi', mentions: ids }).error?.issues[0]?.message;
    expect(mentions('Maya')).toBe('Mentions are a list of ids');
    expect(mentions(['Maya'])).toBe('Mentions are ids of members');
    expect(mentions(Array.from({ length: 11 }, () => randomUUID()))).toBe('At most 10 members can be mentioned');
    expect(commentReasonSchema.safeParse({ reason: ' ' }).error?.issues[0]?.message).toBe('Give a reason');
  });
});
