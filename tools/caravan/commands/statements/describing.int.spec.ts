import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { root } from '../../process/paths.ts';
import { foldersOf } from '../../servers/databases.ts';
import { Describer } from './describing.ts';

let database: TestDatabase;
let describer: Describer;

beforeAll(async () => {
  database = await createTestDatabase({ folders: foldersOf('social').map((folder) => join(root, folder)) });
  describer = new Describer(database.ownerUrl);
  await describer.open();
});

afterAll(async () => {
  await describer.close();
  await database.drop();
});

test('columns of a statement are described with their names in code, their types and the columns that they are', async () => {
  const text = 'select p.log_id, p.caption, count(*) over () as all_rows from posts p where p.org_id = $1';
  expect(await describer.describe(text)).toEqual({
    columns: [
      { name: 'logId', type: 'uuid', of: { column: 'log_id', isNullable: false } },
      { name: 'caption', type: 'text', of: { column: 'caption', isNullable: true } },
      { name: 'allRows', type: 'int8' },
    ],
  });
});

test('a statement that writes is described and not executed', async () => {
  const removing = 'delete from members where org_id = $1 returning user_id';
  expect(await describer.describe(removing)).toMatchObject({ columns: [{ name: 'userId' }] });
  expect(await describer.describe('delete from members')).toEqual({ columns: [] });
});

test('a statement that does not fit the schema is an error, and the next one is described', async () => {
  expect(await describer.describe('select log_idd from posts')).toEqual({
    error: 'column "log_idd" does not exist',
    code: '42703',
  });
  expect(await describer.describe('select from posts')).toEqual({ columns: [] });
});
