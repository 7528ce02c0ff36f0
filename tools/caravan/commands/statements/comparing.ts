import type { Column } from './describing.ts';
import type { Kind, RowShape, Value } from './row-shape.ts';

/** How connections parse the types of PostgreSQL; any other type comes as text. */
const kinds: Readonly<Record<string, Kind>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  timestamptz: 'date',
  timestamp: 'date',
  bytea: 'bytes',
  json: 'any',
  jsonb: 'any',
  interval: 'object',
  void: 'any',
};

/** Elements of arrays have parsers of their own: those of `int8[]` stay texts. */
const arrays: Readonly<Record<string, Kind>> = {
  _int2: 'number',
  _int4: 'number',
  _oid: 'number',
  _float4: 'number',
  _float8: 'number',
  _bool: 'boolean',
  _timestamptz: 'date',
  _timestamp: 'date',
  _json: 'any',
  _jsonb: 'any',
  _text: 'string',
  _varchar: 'string',
  _uuid: 'string',
  _int8: 'string',
  _numeric: 'string',
  _name: 'string',
};

type Expected = Value & { readonly isOptional: boolean };

const takes = (value: Value, kind: Kind): boolean => kind === 'any' || value.kinds.has(kind) || value.kinds.has('any');

const isOfType = (value: Value, type: string): boolean => {
  const element = arrays[type];
  if (element === undefined) return takes(value, kinds[type] ?? 'string');
  return takes(value, 'array') && (!value.elements || takes(value.elements, element));
};

// A row that is joined or was there before may be missing, and so may what others are grouped by.
const mayMissRows = /\b(left|right|full)\s+(outer\s+)?join\b|\bgrouping sets\b|\breturning\b.*\bold\./is;

const isFiltered = (text: string, column: string): boolean => new RegExp(`\\b${column} is not null\\b`).test(text);

function nullDifference(text: string, column: Column, { kinds: expected, isNullable, isOptional }: Expected) {
  if (!column.of || expected.has('any')) return undefined;
  if (column.of.isNullable && !isNullable && !isOptional && !isFiltered(text, column.of.column))
    return 'may be null in its table, and never null is expected';
  if (!column.of.isNullable && isNullable && !mayMissRows.test(text)) return 'is never null, and null is expected';
  return undefined;
}

/** How the columns of a statement differ from the rows that code expects. */
export function differencesOf(text: string, columns: readonly Column[], row: RowShape): string[] {
  const differences: string[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  for (const [name, value] of row) {
    const column = byName.get(name);
    if (!column) {
      if (!value.isOptional) differences.push(`\`${name}\` is expected and not selected`);
      continue;
    }
    const expected = [...value.kinds].join(' | ');
    if (!isOfType(value, column.type)) differences.push(`\`${name}\` is ${column.type}, and ${expected} is expected`);
    const difference = nullDifference(text, column, value);
    if (difference !== undefined) differences.push(`\`${name}\` ${difference}`);
  }
  for (const { name } of columns) if (!row.has(name)) differences.push(`\`${name}\` is selected and not expected`);
  return differences;
}
