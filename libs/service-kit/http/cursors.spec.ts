import { Rejected } from '@caravan/kernel/rejected';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Cursors, type PagedList } from './cursors.ts';
import { newestFirstKey } from './page.ts';

const key = 'key-of-cursors-0123456789abcdefgh';
const otherKey = 'other-key-of-cursors-0123456789ab';
const at = '2026-07-01T10:00:00.000Z';
const id = '019c0000-0000-7000-8000-000000000001';
const orgId = '019c0000-0000-7000-8000-00000000000a';
const userId = '019c0000-0000-7000-8000-00000000000b';
const reactions: PagedList = { operation: 'listReactions', reader: { orgId, userId }, parentId: id };
const feed: PagedList = { operation: 'readFeedOfAll', reader: { orgId, userId }, isForAll: true };

const rows = [1, 2];
function cursorOf(list: PagedList, keys: [string, string[]?] = [key]): string {
  const { nextCursor } = new Cursors(...keys).of(list, newestFirstKey).cut(rows, 1, () => [at, id]);
  if (nextCursor === undefined) throw new Error('there is a second page');
  return nextCursor;
}
const openCursor = (cursor: string | undefined, list: PagedList, keys: [string, string[]?] = [key]) =>
  new Cursors(...keys).of(list, newestFirstKey).after(cursor);

function expectRefused(cursor: string, list: PagedList, keys?: [string, string[]?]): void {
  const refusal = { name: 'Rejected', kind: 'invalid', code: 'page/bad-cursor' };
  expect(() => openCursor(cursor, list, keys)).toThrow(Rejected);
  expect(() => openCursor(cursor, list, keys)).toThrow(expect.objectContaining(refusal));
}

test('[D17] a cursor leads back to the key of the last row', () => {
  expect(openCursor(cursorOf(reactions), reactions)).toEqual([at, id]);
  expect(cursorOf(reactions)).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('[D17] no cursor is the first page', () => {
  expect(openCursor(undefined, reactions)).toBeUndefined();
});

test('[D17] one row more than asked for means there is a next page', () => {
  const pages = new Cursors(key).of(reactions, z.tuple([z.number()]));
  const page = pages.cut([{ position: 3 }, { position: 2 }, { position: 1 }], 2, (row) => [row.position]);
  expect(page.rows).toEqual([{ position: 3 }, { position: 2 }]);
  expect(pages.after(page.nextCursor)).toEqual([2]);
  expect(pages.cut([1, 2, 3], 3, (row) => [row]).nextCursor).toBeUndefined();
  expect(pages.cut([], 3, () => [0]).nextCursor).toBeUndefined();
});

test('[D18] a cursor shows nothing of the row that it stands for, and is another one each time', () => {
  const cursor = cursorOf(reactions);
  const bytes = Buffer.from(cursor, 'base64url');
  for (const text of [cursor, bytes.toString('utf8'), bytes.toString('hex'), bytes.toString('latin1')])
    for (const secret of [id, id.replaceAll('-', ''), at, '2026', orgId, userId]) expect(text).not.toContain(secret);
  expect(cursorOf(reactions)).not.toBe(cursor);
});

describe('[D17 D18] a cursor opens in no other list', () => {
  test.each<[string, PagedList]>([
    ['another operation', { ...reactions, operation: 'listComments' }],
    ['another organisation', { ...reactions, reader: { orgId: userId, userId } }],
    ['another reader', { ...reactions, reader: { orgId, userId: orgId } }],
    ['another parent', { ...reactions, parentId: userId }],
    ['no parent', { operation: 'listReactions', reader: { orgId, userId } }],
    ['a page for all', { ...reactions, isForAll: true }],
  ])('%s', (_, list) => expectRefused(cursorOf(reactions), list));

  test('a page that is sent to all of an organisation has a cursor for each of them', () => {
    expect(openCursor(cursorOf(feed), { ...feed, reader: { orgId, userId: id } })).toEqual([at, id]);
    expectRefused(cursorOf(feed), { ...feed, reader: { orgId: id, userId } });
  });
});

describe('[D17 D38] a cursor that we did not make is refused with 422 and never reaches SQL', () => {
  const cursor = cursorOf(reactions);
  const bytes = Buffer.from(cursor, 'base64url');
  const changedCursor = (nth: number) => {
    const copy = Buffer.from(bytes);
    copy[nth] = (copy[nth] ?? 0) ^ 1;
    return copy.toString('base64url');
  };
  test.each([
    ['changed at its beginning', changedCursor(0)],
    ['changed in its middle', changedCursor(Math.floor(bytes.length / 2))],
    ['changed at its end', changedCursor(bytes.length - 1)],
    ['cut', cursor.slice(0, 20)],
    ['too short for a seal', Buffer.alloc(10).toString('base64url')],
    ['longer', `${cursor}AAAA`],
    ['another spelling of the same bytes', `${cursor}=`],
    ['with signs that decoders skip', `${cursor.slice(0, 9)}%${cursor.slice(9)}`],
    ['without a seal', Buffer.from(JSON.stringify([at, id])).toString('base64url')],
    ['huge', 'a'.repeat(100_000)],
    ['empty', ''],
    ['not base64', '%%%'],
  ])('%s', (_, made) => expectRefused(made, reactions));

  test('one of another kind of key is refused though we sealed it', () => {
    const made = new Cursors(key).of(reactions, z.tuple([z.string()])).cut(rows, 1, () => ['infinity']).nextCursor;
    expectRefused(made ?? '', reactions);
  });
});

describe('[D17] the key of cursors can be changed', () => {
  const old = cursorOf(reactions, [key]);

  test('cursors of a key before it still open', () => {
    expect(openCursor(old, reactions, [otherKey, [key]])).toEqual([at, id]);
  });

  test('only the current key seals', () => {
    const made = cursorOf(reactions, [otherKey, [key]]);
    expect(openCursor(made, reactions, [otherKey])).toEqual([at, id]);
    expectRefused(made, reactions, [key]);
  });

  test('a cursor of a key that is gone is refused', () => expectRefused(old, reactions, [otherKey]));
});
