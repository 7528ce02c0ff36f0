import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../testing/identity.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

const nativeTypes: Record<string, string> = {
  ...{ 'String @db.Uuid': 'uuid', 'DateTime @db.Timestamptz(6)': 'timestamptz', 'DateTime @db.Date': 'date' },
  ...{
    String: 'text',
    'String[]': '_text',
    Int: 'int4',
    'Int @db.SmallInt': 'int2',
    BigInt: 'int8',
    Boolean: 'bool',
    Bytes: 'bytea',
    Json: 'jsonb',
  },
};

/** Columns as the Prisma schema declares them: `table.column type [null]`. */
function declaredColumns(): string[] {
  const schema = readFileSync(resolve(import.meta.dirname, 'schema.prisma'), 'utf8');
  return [...schema.matchAll(/^model \w+ \{\n(.*?)^\}/gms)].flatMap(([, body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    const fields = body.split('\n').flatMap((line) => {
      const [, field, type = '', optional, rest = ''] = /^ {2}(\w+)\s+(\w+(?:\[\])?)(\?)?(.*)$/.exec(line) ?? [];
      const native = nativeTypes[[type, /@db\.\w+(?:\(\d\))?/.exec(rest)?.[0]].filter(Boolean).join(' ')];
      if (field === undefined || native === undefined) return [];
      const column = /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field;
      return [`${table}.${column} ${native}${optional ? ' null' : ''}`];
    });
    return fields;
  });
}

test('the Prisma schema declares exactly the columns that the migrations make', async () => {
  const { rows } = await identity.pool.query<{ column: string }>(
    `select table_name || '.' || column_name || ' ' || udt_name || case is_nullable when 'YES' then ' null' else '' end as column
      from information_schema.columns where table_schema = 'public' and table_name <> '_prisma_migrations'`,
  );
  expect(rows.length).toBeGreaterThan(60);
  expect(declaredColumns().toSorted()).toEqual(rows.map(({ column }) => column).toSorted());
});
