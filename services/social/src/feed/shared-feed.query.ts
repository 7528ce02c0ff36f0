import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { PagedOperation } from '@caravan/contracts/http/paged-operations';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import type { Cursors, Pages } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';

/** Before every entry of one instant. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** all: the organisation; team: the caller's own; mine: the caller alone (D17). */
export type FeedScope = 'all' | 'team' | 'mine';

export type FeedReader = {
  readonly orgId: string;
  readonly userId: string;
  readonly at: Date;
  readonly teamId?: string | undefined;
};

/** The live stream sends one page, with its cursor, to all who see the same of it; one's own feed is nobody else's. */
export function pagesOfFeed(
  cursors: Cursors,
  operations: Readonly<Record<FeedScope, PagedOperation>>,
  { scope, orgId, userId, teamId }: Omit<FeedReader, 'at'> & { readonly scope: FeedScope },
): Pages<typeof newestFirstKey> {
  const list = teamId === undefined ? scope : 'team';
  const reader = { orgId, userId };
  return cursors.of({ operation: operations[list], reader, isForAll: list !== 'mine' }, newestFirstKey);
}

/** The first page is read like any other. */
export const beforeAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

export type Entry = { readonly id: string; readonly createdAt: Date; readonly myReactions: readonly ReactionEmoji[] };

export type Reading = { readonly orgId: string; readonly userId: string; readonly rows: number };

/**
 * $1 organisation, $2 reader, $3 and $4 what it begins behind, $5 rows, $6 the team. That of all reads no tables but
 * `reactions` and those with a trigger `record_feed_change`.
 */
export type FeedSql = (scope: FeedScope | 'team-of-id') => string;

export type SharedFeedSource = { readonly pool: Pool; readonly sqlOf: FeedSql };

export type FeedRange = { readonly rows: number; readonly before: readonly [string, string] | undefined };

/** A page as a member without relations to its authors reads it. */
export type SharedPage<Row> = {
  readonly rows: readonly Row[];
  /** Members whose own page is another one. */
  readonly differsFor: ReadonlySet<string>;
  /** The snapshot, or an earlier one. */
  readonly seen: string;
};

type Beside = {
  /** Nothing that feeds show has changed since. */
  readonly isCurrent: boolean;
  /** By entry; null: none. */
  readonly myReactions: Readonly<Record<string, readonly ReactionEmoji[]>> | null;
};

// Who has posted, down to the oldest entry, what others are not shown, or not with all that they see of it themselves; and
// who has commented below the entries what others are not shown.
export const differsForSql = `
  select p.user_id from posts p left join members m on m.org_id = $1 and m.user_id = p.user_id
  where p.org_id = $1 and (p.created_at, p.log_id) >= ($2, $3) and (
    p.audience = 'owner' or (m.activity_visible and m.profile_visible and not m.is_erased) is not true
    or (p.heart_rate is not null and not m.share_heart_rate) or (p.calories is not null and not m.share_calories))
  union
  select k.author_id from comments k
  where k.org_id = $1 and k.entry_id = any($4::uuid[]) and (k.hidden_at is not null or k.author_id = any(array(
    select user_id from members where org_id = $1 and not activity_visible)))`;

// Who wrote at or beyond the end of the snapshot, or was under way in it, and is seen now.
const besideSql = `
  select not exists (
      select from feed_changes c where c.org_id = $1 and c.xid >= pg_snapshot_xmax($3::pg_snapshot)
    ) and not exists (
      select from pg_snapshot_xip($3::pg_snapshot) as under_way, lateral (
        select from feed_changes c where c.org_id = $1 and c.xid = under_way offset 0
      ) late
    ) as is_current,
    (select json_object_agg(mine.log_id, mine.emojis) from (
      select r.log_id, json_agg(r.emoji order by r.emoji) as emojis from reactions r
      where r.org_id = $1 and r.log_id = any($4::uuid[]) and r.user_id = $2 group by 1
    ) mine) as my_reactions`;

/** The rows that the reader sees, read for them alone; with `teamId` those of that team. */
export async function feedRows<Row extends Entry>(
  { pool, sqlOf }: SharedFeedSource,
  scope: FeedScope,
  { orgId, userId, teamId }: Omit<FeedReader, 'at'>,
  { rows: limit, before }: FeedRange,
): Promise<Row[]> {
  const values = [orgId, userId, ...(before ?? beforeAll), limit];
  const { rows } = await (teamId === undefined
    ? tenantQuery<Row>(pool, orgId, sqlOf(scope), values)
    : tenantQuery<Row>(pool, orgId, sqlOf('team-of-id'), [...values, teamId]));
  return rows;
}

export async function besideSharedPage(
  pool: Pool,
  { orgId, userId }: Reading,
  { rows: entries, seen }: SharedPage<Entry>,
): Promise<Beside> {
  const values = [orgId, userId, seen, entries.map(({ id }) => id)];
  const { rows } = await tenantQuery<Beside>(pool, orgId, besideSql, values);
  return rows[0] ?? { isCurrent: false, myReactions: null };
}

export function sharedPage<Row extends Entry>(
  { pool, sqlOf }: SharedFeedSource,
  { orgId, rows: limit }: Reading,
): Promise<SharedPage<Row>> {
  return withTenant(pool, orgId, async (tx) => {
    // The oldest snapshot of them: what is seen of a later one too counts as changed.
    const [snapshots, { rows }] = await Promise.all([
      tx.query<{ seen: string }>('select pg_current_snapshot()::text as seen'),
      tx.query<Row>(sqlOf('all'), [orgId, strangerId, ...beforeAll, limit]),
    ]);
    const oldest = rows.length < limit ? undefined : rows.at(-1);
    const from = [oldest?.createdAt ?? '-infinity', oldest?.id ?? nobody];
    const others = await tx.query<{ userId: string }>(differsForSql, [orgId, ...from, rows.map(({ id }) => id)]);
    const differsFor = new Set(others.rows.map(({ userId }) => userId));
    return { rows, differsFor, seen: snapshots.rows[0]?.seen ?? '1:1:' };
  });
}
