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
export const selectList = (columns: Columns, alias: string): string =>
  Object.keys(columns)
    .map((name) => `${alias}.${columnOf(name)}`)
    .join(', ');

/** One object of all columns: `json_build_object('heartRate', t.heart_rate)`. */
export const jsonObject = (columns: Columns, alias: string): string =>
  `json_build_object(${Object.keys(columns)
    .map((name) => `'${name}', ${alias}.${columnOf(name)}`)
    .join(', ')})`;

/** `org_id, heart_rate` */
export const columnList = (columns: Columns): string => Object.keys(columns).map(columnOf).join(', ');

/** For `json_to_recordset`: `org_id uuid, heart_rate integer`. */
export const columnDefinitions = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `${columnOf(name)} ${type.replace(' null', '')}`)
    .join(', ');

/** For an update: `heart_rate = excluded.heart_rate`. */
export const assignmentList = (columns: Columns, from: string): string =>
  Object.keys(columns)
    .map((name) => `${columnOf(name)} = ${from}.${columnOf(name)}`)
    .join(', ');

/** The row with the names of its table; other properties of it are left out. */
export const recordOf = <Of extends Columns>(columns: Of, row: RecordOf<Of>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(columns).map((name) => [columnOf(name), row[name]]));

/** A statement and its values. */
export type Statement = [string, [string]];

function refuseColumns(name: string, key: Columns, rest: Columns): void {
  const twice = Object.keys(key).filter((each) => each in rest);
  if (twice.length > 0) throw new Error(`${name}: ${twice.join(', ')} is both in the key and in the rest`);
  if (Object.keys(key).length === 0) throw new Error(`${name}: a table without a key has no rows to replace`);
  if (Object.keys(rest).length === 0) throw new Error(`${name}: a table of keys alone has nothing to update`);
}

/** Statements of a table whose rows are stored and deleted whole, many at once. */
export function table<const Key extends Columns, const Rest extends Columns>(name: string, key: Key, rest: Rest) {
  refuseColumns(name, key, rest);
  const columns = { ...key, ...rest };
  const storeSql = `
    insert into ${name} (${columnList(columns)}) select * from json_to_recordset($1) as r (${columnDefinitions(columns)})
    on conflict (${columnList(key)}) do update set ${assignmentList(rest, 'excluded')}`;
  const deleteSql = `
    delete from ${name} t using json_to_recordset($1) as r (${columnDefinitions(key)})
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
