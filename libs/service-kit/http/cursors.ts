import { createHmac } from 'node:crypto';
import type { PagedOperation } from '@caravan/contracts/http/paged-operations';
import type { Cursor } from '@caravan/contracts/http/paging';
import { Rejected } from '@caravan/kernel/rejected';
import type { z } from 'zod';
import { seal, unseal } from './sealing.ts';

const maximumCharacters = 1_200;

/** A cursor opens only in the list that it was made for. */
export type PagedList = {
  readonly operation: PagedOperation;
  readonly reader: { readonly orgId: string; readonly userId: string };
  /** The id in the operation's path. */
  readonly parentId?: string | undefined;
  /** One page is sent to many members of the organisation, so its cursor serves each of them. */
  readonly isForAll?: boolean | undefined;
};

/**
 * Seals the place at which the next page of a list begins, and opens it again (ADR 0090). Readers learn nothing from a
 * cursor and cannot make one: it may name people and times that they may not know (D18).
 */
export class Cursors {
  private readonly keys: readonly string[];

  constructor(key: string, keysBefore: readonly string[] = []) {
    this.keys = [key, ...keysBefore];
  }

  of<Key extends z.ZodType<readonly (string | number)[]>>(list: PagedList, key: Key): Pages<Key> {
    return new Pages(this.keys, list, key);
  }
}

export class Pages<Key extends z.ZodType<readonly (string | number)[]>> {
  constructor(
    private readonly keys: readonly string[],
    private readonly list: PagedList,
    private readonly key: Key,
  ) {}

  /** The key of the row before the page; undefined for the first page. Throws `Rejected` (422). */
  after(cursor: string | undefined): z.infer<Key> | undefined {
    if (cursor === undefined) return undefined;
    const parsed = this.key.safeParse(this.open(cursor));
    if (!parsed.success)
      throw new Rejected('page/bad-cursor', 'invalid', 'This page no longer exists; start again from the first');
    return parsed.data;
  }

  /** Cuts `limit + 1` rows into the page and, when there are more, the next cursor. */
  cut<Row>(
    rows: readonly Row[],
    limit: number,
    keyOf: (row: Row) => z.infer<Key>,
  ): { rows: readonly Row[]; nextCursor: Cursor | undefined } {
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit && last !== undefined;
    return { rows: page, nextCursor: hasMore ? this.seal(keyOf(last)) : undefined };
  }

  private seal(position: z.infer<Key>): Cursor {
    const [newest = ''] = this.keys;
    const plain = Buffer.from(JSON.stringify(position));
    return seal(plain, this.keyOfList(newest), purpose).toString('base64url') as Cursor;
  }

  private open(cursor: string): unknown {
    if (cursor.length > maximumCharacters) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    // Base64 has several spellings of the same bytes; only ours is a cursor.
    if (bytes.toString('base64url') !== cursor) return undefined;
    for (const key of this.keys) {
      try {
        return JSON.parse(unseal(bytes, this.keyOfList(key), purpose).toString('utf8'));
      } catch {
        continue;
      }
    }
    return undefined;
  }

  /** Each list has a key of its own: random nonces repeat too soon under one key for all cursors of an instance. */
  private keyOfList(key: string): Buffer {
    const { operation, reader, parentId = '', isForAll = false } = this.list;
    const name = [operation, reader.orgId, isForAll ? '' : reader.userId, parentId];
    return createHmac('sha256', key).update(JSON.stringify(name)).digest();
  }
}

const purpose = 'cursor';
