import { type ComparedCell, comparisonOf } from '@caravan/contracts/domain/movement/disclosure';
import type { RecapsEffect } from '@caravan/contracts/http/analytics';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { organisationWeekOf, startOfOrganisationDate } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';
import { zonesOf } from '../directory/index.ts';

/** Effects are looked for in this many weeks. */
const weeksOfEffects = 26;

/**
 * Who moved in the week that a recap tells of, by whether they read it in the week that followed, and moved in it. Weeks
 * that followed are over before $3. $4 are the Mondays of the weeks, $5 the instants at which those that followed are over.
 */
const readersSql = `
  with told as materialized (
    select recap_id, week_starts_on from weekly_recaps
    where org_id = $1 and week_starts_on >= $2 and week_starts_on < $3::date - 7
  ), moved as materialized (
    select week_starts_on, user_id from recap_member_weeks
    where org_id = $1 and week_starts_on >= $2 and week_starts_on < $3
    group by 1, 2 having sum(centimiles) > 0
  ), read as materialized (
    select t.week_starts_on, e.user_id from told t
    join recap_engagement e on e.org_id = $1 and e.recap_id = t.recap_id
    join unnest($4::date[], $5::timestamptz[]) as w (starts_on, read_until) on w.starts_on = t.week_starts_on
    where e.viewed_at < w.read_until
  )
  select r.user_id is not null as is_in_group, n.user_id is not null as is_again, count(*)::int as times,
    count(distinct m.user_id)::int as people
  from told t
  join moved m on m.week_starts_on = t.week_starts_on
  left join read r on r.week_starts_on = m.week_starts_on and r.user_id = m.user_id
  left join moved n on n.week_starts_on = m.week_starts_on + 7 and n.user_id = m.user_id
  group by 1, 2`;

/** Whether readers of recaps move on more often than the others; of nobody's reading by name (ADR 0054). */
export async function recapsEffectOf(tx: Tx, orgId: string, at: Date): Promise<RecapsEffect> {
  const zones = await zonesOf(tx, orgId);
  const monday = organisationWeekOf(zones, at);
  const first = addDays(monday, -7 * weeksOfEffects);
  const weeks = Array.from({ length: weeksOfEffects }, (_, nth) => addDays(first, 7 * nth));
  const readUntil = weeks.map((week) => startOfOrganisationDate(zones, addDays(week, 14)));
  const [{ rows: cells }, { rows: told }] = await Promise.all([
    tx.query<ComparedCell>(readersSql, [orgId, first, monday, weeks, readUntil]),
    tx.query<{ recaps: number }>(
      `select count(*)::int as recaps from weekly_recaps
       where org_id = $1 and week_starts_on >= $2 and week_starts_on < $3::date - 7`,
      [orgId, first, monday],
    ),
  ]);
  const { group, others } = comparisonOf(cells);
  return { recaps: told[0]?.recaps ?? 0, read: group, others };
}
