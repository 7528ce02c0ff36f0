import { instantSchema } from '@caravan/contracts/fields';
import { Rejected } from '@caravan/event-store/rejected';
import { z } from 'zod';

const maximumCharacters = 1_200;

export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** Throws `Rejected` (422), so that a tampered cursor never reaches SQL. */
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string): z.infer<Key>;
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.infer<Key> | undefined;
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.infer<Key> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = key.safeParse(cursor.length <= maximumCharacters ? parseJson(cursor) : undefined);
  if (!parsed.success)
    throw new Rejected('page/bad-cursor', 'invalid', 'This page no longer exists; start again from the first');
  return parsed.data;
}

export const newestFirstKey = z.tuple([instantSchema, z.uuid()]);

export type PageLinkOptions = {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly cursor: string;
};

export function nextPageLink({ path, query, cursor }: PageLinkOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  parameters.set('cursor', cursor);
  return `<${path}?${parameters}>; rel="next"`;
}

/** Of `limit + 1` rows: the page, and the next cursor when there are more. */
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
