import { Client } from '@caravan/event-store/postgres/client';
import type { Connection } from 'pg';

export type Column = {
  readonly name: string;
  /** As PostgreSQL names it: `int8`, `_text`. */
  readonly type: string;
  /** The table's column that is selected as it is; missing for an expression. */
  readonly of?: { readonly column: string; readonly isNullable: boolean };
};

type Failure = { readonly error: string; readonly code: string | undefined };
export type Described = { readonly columns: readonly Column[] } | Failure;

type Field = {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
};
type Answer = { readonly fields: readonly Field[] } | Failure;

/** Parses a statement and asks for its columns; nothing is executed. */
class Describing {
  private answer: Answer = { fields: [] };

  constructor(
    private readonly text: string,
    private readonly done: (answer: Answer) => void,
  ) {}

  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.answer = { fields };
  }

  handleError({ message, code }: Error & { readonly code?: string }): void {
    this.done({ error: message, code });
  }

  handleReadyForQuery(): void {
    this.done(this.answer);
  }
}

/** Knows the types and columns of one database. */
export class Describer {
  private readonly client: Client;
  private types = new Map<number, string>();
  private columns = new Map<string, { readonly column: string; readonly isNullable: boolean }>();

  constructor(url: string) {
    this.client = new Client({ connectionString: url });
  }

  async open(): Promise<void> {
    await this.client.connect();
    const types = await this.client.query<{ oid: number; name: string }>('select oid, typname as name from pg_type');
    this.types = new Map(types.rows.map(({ oid, name }) => [oid, name]));
    const firstOwnTable = 16_384;
    const columns = await this.client.query<{ name: string; column: string; isNullable: boolean }>(
      `select attrelid || ' ' || attnum as name, attname as column, not attnotnull as is_nullable
       from pg_attribute where attrelid >= $1`,
      [firstOwnTable],
    );
    this.columns = new Map(columns.rows.map(({ name, column, isNullable }) => [name, { column, isNullable }]));
  }

  async describe(text: string): Promise<Described> {
    const answer = await new Promise<Answer>(
      (resolve) => void this.client.query(new Describing(text, resolve) as never),
    );
    if ('error' in answer) return answer;
    return {
      columns: answer.fields.map(({ name, dataTypeID, tableID, columnID }) => {
        const type = this.types.get(dataTypeID) ?? String(dataTypeID);
        const of = this.columns.get(`${tableID} ${columnID}`);
        return of ? { name, type, of } : { name, type };
      }),
    };
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
