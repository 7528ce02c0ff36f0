import { expect, expectTypeOf, test } from 'vitest';
import {
  assignmentList,
  columnOf,
  columnList,
  recordOf,
  type RecordOf,
  type RowOf,
  selectList,
  jsonObject,
  table,
  columnDefinitions,
} from './table.ts';

const details = { heartRate: 'integer null', isShown: 'boolean', note: 'text null' } as const;
const logs = table('logs', { orgId: 'uuid', logId: 'uuid' }, details);
const key = { orgId: 'o', logId: 'l' };
const withSingleSpaces = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();

test('a column of a table has underscores where its name in code has capitals', () => {
  expect(['caption', 'heartRate', 'isOwnerOnly'].map(columnOf)).toEqual(['caption', 'heart_rate', 'is_owner_only']);
});

test('a select list names each column as code does, in a row and in an object', () => {
  expect(selectList(details, 't')).toBe('t.heart_rate, t.is_shown, t.note');
  expect(jsonObject(details, 't')).toBe(
    "json_build_object('heartRate', t.heart_rate, 'isShown', t.is_shown, 'note', t.note)",
  );
});

test('lists of an insert, of a record set and of an update name each column of the table', () => {
  expect(columnList(details)).toBe('heart_rate, is_shown, note');
  expect(columnDefinitions(details)).toBe('heart_rate integer, is_shown boolean, note text');
  expect(assignmentList(details, 'excluded')).toBe(
    'heart_rate = excluded.heart_rate, is_shown = excluded.is_shown, note = excluded.note',
  );
});

test('a record has the names of the table and no other property of its row', () => {
  const row = { heartRate: undefined, isShown: false, note: 'x', other: 1 };
  expect(recordOf(details, row)).toEqual({ heart_rate: undefined, is_shown: false, note: 'x' });
});

test('a row that is written may have an instant as a text, and must name what may be empty', () => {
  expectTypeOf<RecordOf<{ loggedAt: 'timestamptz'; miles: 'numeric'; note: 'text null' }>>().toEqualTypeOf<{
    readonly loggedAt: Date | string;
    readonly miles: number | string;
    readonly note: string | null | undefined;
  }>();
});

test('a row has the types of its columns, with null only where a column may be empty', () => {
  expectTypeOf<RowOf<typeof details>>().toEqualTypeOf<{
    readonly heartRate: number | null;
    readonly isShown: boolean;
    readonly note: string | null;
  }>();
});

test('rows are stored by one statement that replaces those of the same key, and sends no other property', () => {
  const row = { ...key, heartRate: 120, isShown: true, note: null, unknown: 'x' };
  const [sql, values] = logs.store([row]);
  expect(withSingleSpaces(sql)).toBe(
    'insert into logs (org_id, log_id, heart_rate, is_shown, note) select * from json_to_recordset($1) as r ' +
      '(org_id uuid, log_id uuid, heart_rate integer, is_shown boolean, note text) on conflict (org_id, log_id) ' +
      'do update set heart_rate = excluded.heart_rate, is_shown = excluded.is_shown, note = excluded.note',
  );
  expect(JSON.parse(values[0])).toEqual([{ org_id: 'o', log_id: 'l', heart_rate: 120, is_shown: true, note: null }]);
});

test('rows are deleted by their keys', () => {
  const [sql, values] = logs.delete([key]);
  expect(withSingleSpaces(sql)).toBe(
    'delete from logs t using json_to_recordset($1) as r (org_id uuid, log_id uuid) ' +
      'where t.org_id = r.org_id and t.log_id = r.log_id',
  );
  expect(JSON.parse(values[0])).toEqual([{ org_id: 'o', log_id: 'l' }]);
});

test.each([
  ['a column in the key and in the rest', { orgId: 'uuid', note: 'text' }, { note: 'text' }, 'logs: note is both'],
  ['no key', {}, { note: 'text' }, 'logs: a table without a key'],
  ['no column besides the key', { orgId: 'uuid' }, {}, 'logs: a table of keys alone'],
] as const)('a table with %s is refused when it is described', (_what, own, rest, message) => {
  expect(() => table('logs', own, rest)).toThrow(message);
});
