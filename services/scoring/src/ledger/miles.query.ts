import { forgottenActivityName } from '@caravan/contracts/domain/movement/activities';
import { instantSchema, localDateSchema } from '@caravan/contracts/events/fields';
import type { Miles } from '@caravan/contracts/http/scores';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { z } from 'zod';
import { milesEntryOf } from './explanation.ts';
import type { ExplainedEntry } from './explanation.ts';

// One statement: total and sums of days are those of the moment in which the entries were read.
const pageSql = `
  with page as (
    select e.entry_id, e.kind, e.log_id, e.centimiles, e.credited_on,
      e.credited_at, e.movements, e.minutes,
      coalesce(nullif(e.activity, 'custom'), c.activity_type, '${forgottenActivityName}') as activity_name,
      e.duration_minutes, e.previous_minutes, e.multiplier::float8 as multiplier,
      e.previous_multiplier::float8, w.name as challenge_name,
      e.not_counted
    from ledger_entries e
    left join credited_movements c on c.org_id = e.org_id and c.log_id = e.log_id
    left join weekly_challenges w on w.org_id = e.org_id and w.challenge_id = e.challenge_id
    where e.org_id = $1 and e.user_id = $2 and (e.credited_on, e.credited_at, e.entry_id) < ($3, $4, $5)
    order by e.credited_on desc, e.credited_at desc, e.entry_id desc limit $6
  )
  select coalesce((select centimiles from member_totals where org_id = $1 and user_id = $2), 0) as total_centimiles,
    array(select json_build_object('entryId', entry_id, 'kind', kind, 'logId', log_id, 'centimiles', centimiles,
      'creditedOn', credited_on, 'creditedAt', credited_at, 'movements', movements, 'minutes', minutes,
      'activityName', activity_name, 'durationMinutes', duration_minutes, 'previousMinutes', previous_minutes,
      'multiplier', multiplier, 'previousMultiplier', previous_multiplier, 'challengeName', challenge_name,
      'notCounted', not_counted) from page) as entries,
    (select coalesce(json_agg(json_build_object('on', credited_on, 'centimiles', centimiles) order by credited_on desc), '[]') from (
      select credited_on, sum(centimiles)::float8 as centimiles from ledger_entries
      where org_id = $1 and user_id = $2 and credited_on = any(array(select credited_on from page))
      group by credited_on
    ) d) as days`;

const byDayKey = z.tuple([localDateSchema, instantSchema, z.uuid()]);

const beforeAll = ['infinity', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

type Row = {
  totalCentimiles: number;
  entries: (Omit<ExplainedEntry, 'creditedAt'> & { entryId: string; creditedAt: string })[];
  days: { on: string; centimiles: number }[];
};

/** By the days that miles count for, the newest first (D9, D10). */
export async function pageOfMiles(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: { orgId: string; userId: string },
  { limit, cursor }: PageQuery,
): Promise<{ miles: Miles; nextCursor: Cursor | undefined }> {
  const { orgId, userId } = reader;
  const pages = cursors.of({ operation: 'listMiles', reader }, byDayKey);
  const before = pages.after(cursor) ?? beforeAll;
  const { rows } = await tenantQuery<Row>(pool, orgId, pageSql, [orgId, userId, ...before, limit + 1]);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row');
  const entries = row.entries.map((entry) => ({ ...entry, creditedAt: new Date(entry.creditedAt) }));
  const page = pages.cut(entries, limit, ({ creditedOn, creditedAt, entryId }) => [
    creditedOn,
    creditedAt.toISOString(),
    entryId,
  ]);
  const shown = new Set(page.rows.map(({ creditedOn }) => creditedOn));
  const days = row.days.filter(({ on }) => shown.has(on));
  const miles = {
    entries: page.rows.map(milesEntryOf),
    days: days.map(({ on, centimiles }) => ({ on, miles: milesOf(centimiles) })),
    totalMiles: milesOf(row.totalCentimiles),
  };
  return { miles, nextCursor: page.nextCursor };
}
