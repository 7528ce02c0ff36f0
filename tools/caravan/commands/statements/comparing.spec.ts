import { describe, expect, test } from 'vitest';
import { differencesOf } from './comparing.ts';
import type { Column } from './describing.ts';
import type { Kind, RowShape } from './row-shape.ts';

const of = (...kinds: Kind[]) => ({ kinds: new Set(kinds), isNullable: false, isOptional: false });
const row = (shape: Readonly<Record<string, ReturnType<typeof of>>>): RowShape => new Map(Object.entries(shape));
const columnOf = (type: string, isNullable: boolean): Column => ({
  name: 'a',
  type,
  of: { column: 'some_a', isNullable },
});
const required = columnOf('text', false);
const nullable = columnOf('text', true);
const text = of('string');
const textOrNull = { ...text, isNullable: true };

describe('a row is as code expects it', () => {
  test.each<[string, Kind]>([
    ['int8', 'number'],
    ['float8', 'number'],
    ['numeric', 'string'],
    ['uuid', 'string'],
    ['date', 'string'],
    ['bool', 'boolean'],
    ['timestamptz', 'date'],
    ['bytea', 'bytes'],
    ['jsonb', 'object'],
  ])('when a column of type %s is expected as %s', (type, kind) => {
    expect(differencesOf('', [{ name: 'a', type }], row({ a: of(kind) }))).toEqual([]);
  });

  test('when elements of a list have the expected type', () => {
    const expected = row({ a: Object.assign(of('array'), { elements: of('string') }) });
    expect(differencesOf('', [{ name: 'a', type: '_uuid' }], expected)).toEqual([]);
    expect(differencesOf('', [{ name: 'a', type: '_int4' }], expected)).toEqual([
      '`a` is _int4, and array is expected',
    ]);
  });

  test('when a property that may be missing is not selected', () => {
    expect(differencesOf('', [], row({ a: { ...text, isOptional: true } }))).toEqual([]);
  });
});

test('a property that is not selected, and a column that no property takes, are differences', () => {
  expect(differencesOf('', [{ name: 'b', type: 'text' }], row({ a: text }))).toEqual([
    '`a` is expected and not selected',
    '`b` is selected and not expected',
  ]);
});

test('a column of another type is a difference', () => {
  expect(differencesOf('', [{ name: 'a', type: 'timestamptz' }], row({ a: text }))).toEqual([
    '`a` is timestamptz, and string is expected',
  ]);
});

test.each([
  {
    what: 'a column that may be null',
    column: nullable,
    expected: text,
    sql: 'select',
    differences: ['`a` may be null in its table, and never null is expected'],
  },
  {
    what: 'a column whose null rows are left out',
    column: nullable,
    expected: text,
    sql: 'select from t where some_a is not null',
    differences: [],
  },
  {
    what: 'a column that may be null as expected',
    column: nullable,
    expected: textOrNull,
    sql: 'select',
    differences: [],
  },
  {
    what: 'a column that is never null',
    column: required,
    expected: textOrNull,
    sql: 'select',
    differences: ['`a` is never null, and null is expected'],
  },
  {
    what: 'a column of a row that may be missing',
    column: required,
    expected: textOrNull,
    sql: 'select from t left join u on true',
    differences: [],
  },
  {
    what: 'a column of an earlier row',
    column: required,
    expected: textOrNull,
    sql: 'insert into t returning old.some_a as a',
    differences: [],
  },
])('null is compared for $what', ({ column, expected, sql, differences }) => {
  expect(differencesOf(sql, [column], row({ a: expected }))).toEqual(differences);
});
