import { tenantQuery } from '@caravan/event-store/postgres';
import type { Pool } from '@caravan/service-kit/pool';

/** Somebody whose page is open, with what their own rows say. */
export type BoardReader = {
  readonly userId: string;
  readonly teamId: string;
  /** Of all miles. */
  readonly version: number;
  readonly weekVersion: number;
  readonly weekCentimiles: number;
};

// Looked up reader by reader: joined, a plan made for few would read the whole organisation.
const readersSql = `
  select m.user_id as "userId", m.team_id as "teamId",
    coalesce(t.version, 0) as version, coalesce(w.version, 0) as "weekVersion", coalesce(w.centimiles, 0) as "weekCentimiles"
  from members m
  left join lateral (
    select version from member_totals where org_id = $1 and user_id = m.user_id offset 0) t on true
  left join lateral (
    select version, centimiles from member_weeks where org_id = $1 and user_id = m.user_id and week_starts_on = $3 offset 0) w on true
  where m.org_id = $1 and m.user_id = any($2::uuid[])
    and m.stats_visible and m.profile_visible and m.activity_visible and m.is_active and not m.is_erased`;

/**
 * Those of the readers who see of themselves what everybody sees of them, as their rows know them in the week of that
 * Monday. Who hides something sees more and asks (ADR 0014), and so does who is not known here yet.
 */
export async function boardReaders(
  pool: Pool,
  orgId: string,
  { readers, weekStartsOn }: { readers: readonly string[]; weekStartsOn: string },
): Promise<readonly BoardReader[]> {
  return (await tenantQuery<BoardReader>(pool, orgId, readersSql, [orgId, readers, weekStartsOn])).rows;
}
