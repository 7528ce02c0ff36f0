import type { ReactionCounts } from '@caravan/contracts/http/feed';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

type Row = {
  readonly logId: string;
  /** Null: to all. */
  readonly shownTo: string | null;
  readonly reactions: ReactionCounts;
};

// Of a member who hides activity, or whose choice has not come yet, the author alone is told: they ask (D18).
const countsSql = `
  select p.log_id,
    case when p.audience = 'organisation' and exists (select from members m where m.org_id = p.org_id and m.user_id = p.user_id and m.activity_visible)
      then null else p.user_id end as shown_to,
    coalesce((select json_object_agg(c.emoji, c.count) from reaction_counts c
      where c.org_id = p.org_id and c.log_id = p.log_id and c.count > 0), '{}') as reactions
  from posts p where p.org_id = $1 and p.log_id = any($2::uuid[])`;

export async function reactionCounts(pool: Pool, orgId: string, logIds: readonly string[]): Promise<Row[]> {
  const { rows } = await tenantQuery<Row>(pool, orgId, countsSql, [orgId, logIds]);
  return rows;
}
