type Plain = 'uuid' | 'text' | 'smallint' | 'integer' | 'boolean';
/** A column's type as PostgreSQL names it; `null` says that it may be empty. */
export type ColumnType = Plain | `${Plain} null`;
/** Columns of a table, each named once, as code names it; the table's own name of it has underscores. */
export type Columns = Readonly<Record<string, ColumnType>>;

type ValueOf<Type extends ColumnType> = Type extends `${infer Base extends Plain} null`
  ? ValueOf<Base> | null
  : Type extends 'smallint' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : string;

export type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

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

const recordset = (columns: Columns, alias: string): string =>
  `json_to_recordset($1) as ${alias} (${Object.entries(columns)
    .map(([name, type]) => `${columnOf(name)} ${type.replace(' null', '')}`)
    .join(', ')})`;

/** A statement and its values. */
export type Statement = [string, [string]];

/** Statements of a table whose rows are stored and deleted whole, many at once. */
export function table<const Key extends Columns, const Rest extends Columns>(name: string, key: Key, rest: Rest) {
  const columns = { ...key, ...rest };
  const namesOf = (some: Columns) => Object.keys(some).map(columnOf);
  const updates = namesOf(rest).map((column) => `${column} = excluded.${column}`);
  const storeSql = `
    insert into ${name} (${namesOf(columns).join(', ')}) select * from ${recordset(columns, 'r')}
    on conflict (${namesOf(key).join(', ')}) do update set ${updates.join(', ')}`;
  const deleteSql = `
    delete from ${name} t using ${recordset(key, 'r')}
    where ${namesOf(key)
      .map((column) => `t.${column} = r.${column}`)
      .join(' and ')}`;
  const values = (some: Columns, rows: readonly Readonly<Record<string, unknown>>[]): [string] => [
    JSON.stringify(
      rows.map((row) => Object.fromEntries(Object.keys(some).map((column) => [columnOf(column), row[column]]))),
    ),
  ];
  return {
    /** Inserts rows, or replaces those that have the same key. */
    store: (rows: readonly (RowOf<Key> & RowOf<Rest>)[]): Statement => [storeSql, values(columns, rows)],
    delete: (rows: readonly RowOf<Key>[]): Statement => [deleteSql, values(key, rows)],
  };
}
