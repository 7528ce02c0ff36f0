import { Rejected } from '@caravan/event-store/rejected';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cutPage, decodeCursor, encodeCursor, newestFirstKey, nextPageLink } from './page.ts';

const key = ['2026-07-01T10:00:00.000Z', '019c0000-0000-7000-8000-000000000001'] as const;

test('[D17] a cursor leads back to the key of the last row', () => {
  expect(decodeCursor(newestFirstKey, encodeCursor(key))).toEqual(key);
  expect(encodeCursor(key)).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('[D17] no cursor is the first page', () => {
  expect(decodeCursor(newestFirstKey, undefined)).toBeUndefined();
});

describe('[D17] a tampered cursor is refused with 422 and never reaches SQL', () => {
  const encoded = encodeCursor(key);
  test.each([
    ['cut', encoded.slice(0, 20)],
    ['of another list', encodeCursor([12, 'x'])],
    ['longer', encodeCursor([...key, 1])],
    ['not JSON', Buffer.from("'; drop table es.events; --").toString('base64url')],
    ['an object', Buffer.from('{"0":"2026-07-01T10:00:00.000Z"}').toString('base64url')],
    ['huge', encodeCursor(['2026-07-01T10:00:00.000Z', 'a'.repeat(500)])],
    ['empty', ''],
    ['not base64', '%%%'],
  ])('%s', (_, cursor) => {
    expect(() => decodeCursor(newestFirstKey, cursor)).toThrow(Rejected);
    expect(() => decodeCursor(newestFirstKey, cursor)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'page/bad-cursor' }),
    );
  });
});

test('a number in a cursor keeps its value', () => {
  expect(decodeCursor(z.tuple([z.number()]), encodeCursor([1234567890123]))).toEqual([1234567890123]);
});

test('[D17] one row more than asked for means there is a next page', () => {
  const rows = [3, 2, 1].map((position) => ({ position }));
  const page = cutPage(rows, 2, (row) => [row.position]);
  expect(page.rows).toEqual([{ position: 3 }, { position: 2 }]);
  expect(decodeCursor(z.tuple([z.number()]), page.nextCursor)).toEqual([2]);
  expect(cutPage(rows, 3, (row) => [row.position]).nextCursor).toBeUndefined();
  expect(cutPage([], 3, () => []).nextCursor).toBeUndefined();
});

test('[D17] the Link header names the public path and keeps the other parameters', () => {
  expect(
    nextPageLink({ path: '/api/logs', query: { limit: 10, cursor: 'old', scope: undefined }, cursor: 'a_b-c' }),
  ).toBe('</api/logs?limit=10&cursor=a_b-c>; rel="next"');
});

test.each([
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  `2026-01-01T00:00:00.${'1'.repeat(90)}Z`,
])('[D38] a cursor at %s is refused before it reaches SQL', (instant) => {
  const cursor = encodeCursor([instant, '019c0000-0000-7000-8000-000000000001']);
  expect(() => decodeCursor(newestFirstKey, cursor)).toThrow(Rejected);
});
