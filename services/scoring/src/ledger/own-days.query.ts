import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { restDaysOf, type StreakRun } from '@caravan/contracts/domain/movement/streak';
import { addDays, daysBetween, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { mostDaysAtOnce, type OwnDays, type OwnDaysQuery } from '@caravan/contracts/http/scores';
import { Rejected } from '@caravan/kernel/rejected';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

// One statement: days and runs are those of one moment. Dates whose entries cancel each other are left out.
const daysSql = `
  select coalesce((select has_streak_freezes from organisations where org_id = $1), true) as has_freezes,
    (select coalesce(json_agg(json_build_object('on', credited_on, 'centimiles', centimiles, 'movements', movements)
       order by credited_on), '[]')
     from (
       select credited_on, sum(centimiles)::float8 as centimiles, sum(movements)::int as movements from ledger_entries
       where org_id = $1 and user_id = $2 and credited_on between $3 and $4
       group by credited_on having sum(centimiles) <> 0 or sum(movements) <> 0
     ) d) as days,
    (select coalesce(json_agg(json_build_object('startedOn', started_on, 'endedOn', ended_on) order by started_on), '[]')
     from streak_runs where org_id = $1 and user_id = $2) as runs`;

type Row = {
  hasFreezes: boolean;
  days: { on: string; centimiles: number; movements: number }[];
  runs: StreakRun[];
};

const weeksBefore = 11;

/** Own entries alone, also those that colleagues may not see (D18, D21). @param today in the organisation's time zone */
export async function ownDaysOf(
  pool: Pool,
  { orgId, userId }: { orgId: string; userId: string },
  query: OwnDaysQuery,
  today: string,
): Promise<OwnDays> {
  const { from, to } = spanOf(query, today);
  const { rows } = await tenantQuery<Row>(pool, orgId, daysSql, [orgId, userId, from, to]);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row');
  const restDays = row.hasFreezes ? restDaysOf(row.runs, today) : [];
  return {
    from,
    to,
    today,
    days: row.days.map(({ on, centimiles, movements }) => ({ on, miles: milesOf(centimiles), movements })),
    restDays: restDays.filter((on) => on >= from && on <= to),
  };
}

function spanOf(query: OwnDaysQuery, today: string): { from: string; to: string } {
  const to = query.to ?? today;
  const from = query.from ?? addDays(weekStartOf(to), -7 * weeksBefore);
  if (from > to) throw new Rejected('miles/from-after-to', 'invalid', 'The first day is after the last one');
  if (daysBetween(from, to) >= mostDaysAtOnce)
    throw new Rejected('miles/too-many-days', 'invalid', `At most ${mostDaysAtOnce} days can be read at once`);
  return { from, to };
}
