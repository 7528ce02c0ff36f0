import { instantSchema } from '@caravan/contracts/fields';
import { Rejected } from '@caravan/event-store/rejected';
import { z } from 'zod';

// A cursor may hold a name: 80 characters of any script.
const maximumCharacters = 1_200;

/** An opaque cursor: the sort key of the last row of a page. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * Reads a cursor that `encodeCursor` wrote; `key` is the schema of the sort key. Throws `Rejected` invalid (422) for
 * anything else, so that a tampered cursor never reaches SQL.
 */
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string): z.infer<Key>;
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.infer<Key> | undefined;
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.infer<Key> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = key.safeParse(cursor.length <= maximumCharacters ? parseJson(cursor) : undefined);
  if (!parsed.success)
    throw new Rejected('page/bad-cursor', 'invalid', 'This page no longer exists; start again from the first');
  return parsed.data;
}

/** The sort key of lists ordered by instant, newest first, then id. */
export const newestFirstKey = z.tuple([instantSchema, z.uuid()]);

export type PageLinkOptions = {
  /** Path as clients call it, with `/api`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly cursor: string;
};

/** Value of the Link header that leads to the next page (RFC 8288). */
export function nextPageLink({ path, query, cursor }: PageLinkOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  parameters.set('cursor', cursor);
  return `<${path}?${parameters}>; rel="next"`;
}

/**
 * Cuts a page out of `limit + 1` rows read: the rows to answer with and, when there are more, the next page's cursor.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
): { rows: readonly Row[]; nextCursor: string | undefined } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : undefined };
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
