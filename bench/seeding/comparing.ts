import { isDeepStrictEqual } from 'node:util';
import { serviceNames } from '@caravan/contracts/events/topics';
import { z } from 'zod';
import type { Product } from '../product.ts';
import { activitySql, logsSql, type Crowd } from './crowd.ts';
import { asOwner, type Tx } from './databases.ts';

/**
 * What nobody has who has not come back since joining, and what others write when they are told; badges are given to a
 * history at its first look. A crowd connects no platform, whose workouts alone are compared with own logs.
 */
const ofVisitors = [
  'sessions',
  'member_badges',
  'recap_achievements',
  'email_confirmations',
  'due_notices',
  'notices',
  'notice_items',
  'sent_reminders',
  'own_logs',
];
/** What tells one person or one moment from another; only the founder is an admin. */
const ofPersons =
  /(_id|_at|_on|name|name_key|search_key|email|email_key|active_key|password_hash|position|epoch|since|role)$/;

const rowsSchema = z.array(z.object({ line: z.record(z.string(), z.unknown()) }));
type Rows = { readonly table: string; readonly lines: readonly Record<string, unknown>[] };

/** Throws when rows or shapes of events differ from those of the founder, who came through the API. */
export async function compareWithFounder(product: Product, crowd: Crowd): Promise<void> {
  const twin = await twinIn(product, crowd);
  const differences: string[] = [];
  for (const service of serviceNames) {
    await asOwner(product, service, async (tx) => {
      const made = await everythingOf(tx, crowd.place.founder.userId);
      const grown = await everythingOf(tx, twin);
      for (const [nth, { table, lines }] of made.entries()) {
        if (isDeepStrictEqual(lines, grown[nth]?.lines)) continue;
        const [meant, is] = [lines, grown[nth]?.lines].map((side) => JSON.stringify(side));
        differences.push(`${service} has ${table} of a grown member as ${is}, of one who signed up as ${meant}`);
      }
    });
  }
  if (differences.length > 0) throw new Error(differences.join('\n'));
}

async function twinIn(product: Product, crowd: Crowd): Promise<string> {
  const like = `select user_id from (${logsSql(crowd)}) l where minutes = 30 and ${activitySql} = 'Walking' limit 1`;
  const [twin] = await asOwner(product, 'identity', (tx) => tx.query(like));
  return z.object({ userId: z.string() }).parse(twin).userId;
}

async function everythingOf(tx: Tx, userId: string): Promise<Rows[]> {
  const tables = await tx.query(
    `select table_name as line from information_schema.columns
     where table_schema = 'public' and column_name = 'user_id' and table_name <> all($1) order by 1`,
    [ofVisitors],
  );
  const found: Rows[] = [];
  for (const { line: table } of z.array(z.object({ line: z.string() })).parse(tables)) {
    const rows = await tx.query(`select row_to_json(t) as line from ${table} t where user_id = $1`, [userId]);
    found.push({ table, lines: rowsSchema.parse(rows).map(({ line }) => comparable(line)) });
  }
  const events = await tx.query(
    `select json_build_object('type', type, 'category', category, 'data', data) as line from es.events
     where data->>'userId' = $1 and category <> 'badges' order by pos`,
    [userId],
  );
  const shapes = rowsSchema
    .parse(events)
    .map(({ line }) => ({ ...line, data: Object.keys(line['data'] ?? {}).toSorted() }));
  return [...found, { table: 'events', lines: shapes }];
}

const comparable = (line: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(line).filter(([column]) => !ofPersons.test(column)));
