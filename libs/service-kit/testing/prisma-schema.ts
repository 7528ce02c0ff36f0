import { readFileSync } from 'node:fs';
import type { Pool } from '../storage/pool.ts';

const nativeTypes: Readonly<Record<string, string>> = {
  String: 'text',
  'String @db.Uuid': 'uuid',
  'String[]': '_text',
  'String[] @db.Uuid': '_uuid',
  Boolean: 'bool',
  Float: 'float8',
  Int: 'int4',
  'Int @db.SmallInt': 'int2',
  BigInt: 'int8',
  'BigInt[]': '_int8',
  'Int[]': '_int4',
  'Int[] @db.SmallInt': '_int2',
  'DateTime[] @db.Date': '_date',
  'DateTime @db.Timestamptz(6)': 'timestamptz',
  'DateTime[] @db.Timestamptz(6)': '_timestamptz',
  'DateTime @db.Date': 'date',
  Bytes: 'bytea',
  Json: 'jsonb',
};

/** What a `schema.prisma` declares: `table.column type [null]` of each column, `table key (columns)` of each table. */
export function declaredIn(file: string): string[] {
  const schema = readFileSync(file, 'utf8');
  const models = [...schema.matchAll(/^model \w+ \{\n(.*?)^\}/gms)];
  return models.flatMap(([, body = '']) => declaredBy(body)).toSorted();
}

function declaredBy(model: string): string[] {
  const table = /@@map\("(\w+)"\)/.exec(model)?.[1] ?? '';
  const columnOf = new Map<string, string>();
  const columns = model.split('\n').flatMap((line) => {
    const [, field, type = '', optional, rest = ''] =
      /^ {2}(\w+)\s+(Unsupported\("\w+"\)|\w+(?:\[\])?)(\?)?(.*)$/.exec(line) ?? [];
    const native = nativeOf(type, /@db\.\w+(?:\([\d, ]+\))?/.exec(rest)?.[0]);
    if (field === undefined || native === undefined) return [];
    const column = /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field;
    columnOf.set(field, column);
    return [`${table}.${column} ${native}${optional ? ' null' : ''}`];
  });
  const key = /@@id\(\[([^\]]+)\]/.exec(model)?.[1] ?? /^ {2}(\w+) .*@id\b/m.exec(model)?.[1] ?? '';
  const keys = key.split(/,\s*/).map((field) => columnOf.get(field) ?? field);
  return key === '' ? columns : [...columns, `${table} key (${keys.join(', ')})`];
}

function nativeOf(type: string, attribute?: string): string | undefined {
  // A type that Prisma has no word for stands as PostgreSQL calls it.
  const unsupported = /^Unsupported\("(\w+)"\)$/.exec(type)?.[1];
  if (unsupported !== undefined) return unsupported;
  const decimal = /^@db\.Decimal\((\d+), (\d+)\)$/.exec(attribute ?? '');
  if (type === 'Decimal' && decimal) return `numeric(${decimal[1]},${decimal[2]})`;
  return nativeTypes[attribute === undefined ? type : `${type} ${attribute}`];
}

/** The same of the database that the migrations made. */
export async function migratedInto(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select table_name || '.' || column_name || ' ' || udt_name
        || case udt_name when 'numeric' then '(' || numeric_precision || ',' || numeric_scale || ')' else '' end
        || case is_nullable when 'YES' then ' null' else '' end as line
      from information_schema.columns where table_schema = 'public' and table_name <> '_prisma_migrations'
      union all
      select c.relname || ' key (' || string_agg(a.attname, ', ' order by k.nth) || ')'
      from pg_index i join pg_class c on c.oid = i.indrelid
        cross join lateral unnest(i.indkey::smallint[]) with ordinality k(attnum, nth)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indisprimary and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations'
      group by c.relname`,
  );
  return rows.map(({ line }) => line).toSorted();
}
