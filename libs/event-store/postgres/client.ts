import type { EventEmitter } from 'node:events';
import pg from 'pg';

type RowDescription = { readonly fields: { name: string }[] };
type Inner = {
  readonly connection: EventEmitter;
  _getActiveQuery(): { readonly _rowMode?: 'array' } | null;
};

/** PostgreSQL describes the columns of each answer anew; a name is worked out once. Statements name a few hundred. */
const codeNames = new Map<string, string>();

/** `user_id` becomes `userId`. A name without an underscore between letters stays as it is. */
export function codeNameOf(column: string): string {
  const known = codeNames.get(column);
  if (known !== undefined) return known;
  const name = column.replaceAll(/(?<=[a-z0-9])_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  codeNames.set(column, name);
  return name;
}

/**
 * A connection whose rows have the names that code uses. Each answer's columns are renamed once, before its first row.
 * Rows that are asked for as arrays keep the names of their columns: Prisma finds its fields by them.
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const inner = this as unknown as Inner;
    // Listeners run in order, and pg adds its own when it connects.
    inner.connection.on('rowDescription', ({ fields }: RowDescription) => {
      if (inner._getActiveQuery()?._rowMode === 'array') return;
      for (const field of fields) field.name = codeNameOf(field.name);
    });
  }
}
