type Plain =
  'uuid' | 'text' | 'smallint' | 'integer' | 'numeric' | 'boolean' | 'date' | 'timestamptz' | 'jsonb' | 'uuid[]';
/** A column's type as PostgreSQL names it; `null` says that it may be empty. */
export type ColumnType = Plain | `${Plain} null`;
/** Columns of a table, each named once, as code names it; the table's own name of it has underscores. */
export type Columns = Readonly<Record<string, ColumnType>>;

type ValueOf<Type extends ColumnType> = Type extends `${infer Base extends Plain} null`
  ? ValueOf<Base> | null
  : Type extends keyof Values
    ? Values[Type]
    : string;
type Values = {
  smallint: number;
  integer: number;
  boolean: boolean;
  timestamptz: Date;
  jsonb: unknown;
  'uuid[]': readonly string[];
};

/** As code writes it: an instant may be a text, a number goes into `numeric`, and what may be empty may be missing. */
type Written<Type extends ColumnType> = Type extends `${infer Base extends Plain} null`
  ? Written<Base> | null | undefined
  : Type extends 'timestamptz'
    ? Date | string
    : Type extends 'numeric'
      ? number | string
      : ValueOf<Type>;

export type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** A row that is written. Columns that may be empty are named too, so that none is forgotten. */
export type RecordOf<Of extends Columns> = { readonly [Name in keyof Of]: Written<Of[Name]> };

export const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** For a select list: `t.heart_rate, t.calories`. */
export const selected = (columns: Columns, alias: string): string =>
  Object.keys(columns)
    .map((name) => `${alias}.${columnOf(name)}`)
    .join(', ');

/** One object of all columns: `json_build_object('heartRate', t.heart_rate)`. */
export const selectedAsJson = (columns: Columns, alias: string): string =>
  `json_build_object(${Object.keys(columns)
    .map((name) => `'${name}', ${alias}.${columnOf(name)}`)
    .join(', ')})`;

/** `org_id, heart_rate` */
export const listed = (columns: Columns): string => Object.keys(columns).map(columnOf).join(', ');

/** For `json_to_recordset`: `org_id uuid, heart_rate integer`. */
export const typed = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `${columnOf(name)} ${type.replace(' null', '')}`)
    .join(', ');

/** For an update: `heart_rate = excluded.heart_rate`. */
export const assigned = (columns: Columns, from: string): string =>
  Object.keys(columns)
    .map((name) => `${columnOf(name)} = ${from}.${columnOf(name)}`)
    .join(', ');

/** The row with the names of its table; other properties of it are left out. */
export const recordOf = <Of extends Columns>(columns: Of, row: RecordOf<Of>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(columns).map((name) => [columnOf(name), row[name]]));

/** A statement and its values. */
export type Statement = [string, [string]];

/** Statements of a table whose rows are stored and deleted whole, many at once. */
export function table<const Key extends Columns, const Rest extends Columns>(name: string, key: Key, rest: Rest) {
  const columns = { ...key, ...rest };
  const storeSql = `
    insert into ${name} (${listed(columns)}) select * from json_to_recordset($1) as r (${typed(columns)})
    on conflict (${listed(key)}) do update set ${assigned(rest, 'excluded')}`;
  const deleteSql = `
    delete from ${name} t using json_to_recordset($1) as r (${typed(key)})
    where ${Object.keys(key)
      .map((each) => `t.${columnOf(each)} = r.${columnOf(each)}`)
      .join(' and ')}`;
  return {
    /** Inserts rows, or replaces those that have the same key. */
    store: (rows: readonly (RecordOf<Key> & RecordOf<Rest>)[]): Statement => [
      storeSql,
      [JSON.stringify(rows.map((row) => ({ ...recordOf(key, row), ...recordOf(rest, row) })))],
    ],
    delete: (rows: readonly RecordOf<Key>[]): Statement => [
      deleteSql,
      [JSON.stringify(rows.map((row) => recordOf(key, row)))],
    ],
  };
}
