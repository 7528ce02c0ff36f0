import type { ReactionEmoji } from '@caravan/contracts/events/fields';
import type { PagedOperation } from '@caravan/contracts/http/paged-operations';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import type { Cursors, Pages } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { LRUCache } from 'lru-cache';

const mostKept = 500;
/** What a rebuild puts in place of the rows leaves no mark. */
const keptMilliseconds = 1_000;
/** So many within a second read it anew before it is kept: where more is written than read, that would be for nothing. */
const readersAlone = 2;
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

type Entry = { readonly id: string; readonly createdAt: Date; readonly myReactions: readonly ReactionEmoji[] };

export type Reading = { readonly orgId: string; readonly userId: string; readonly rows: number };

type SharedFeedOptions = {
  readonly pool: Pool;
  /**
   * $1 organisation, $2 reader, $3 and $4 what it begins behind, $5 rows, $6 the team. That of all reads no tables but
   * `reactions` and those with a trigger `note_feed_change`.
   */
  readonly sqlOf: (scope: FeedScope | 'team-of-id') => string;
};

type Kept<Row> = {
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

/**
 * Pages of a feed. The newest entries of an organisation are read once for all who see the same of them, and shown only
 * while nothing of it has changed (ADR 0083).
 */
export class SharedFeed<Row extends Entry> {
  private readonly kept = new LRUCache<string, Kept<Row>>({ max: mostKept, ttl: keptMilliseconds });
  private readonly alone = new LRUCache<string, number>({ max: mostKept, ttl: keptMilliseconds, noUpdateTTL: true });
  private readonly underWay = new Map<string, Promise<Kept<Row>>>();
  private readonly options: SharedFeedOptions;

  constructor(options: SharedFeedOptions) {
    this.options = options;
  }

  async rowsOf(
    scope: FeedScope,
    { orgId, userId, teamId }: Omit<FeedReader, 'at'>,
    { rows: limit, before }: { readonly rows: number; readonly before: readonly [string, string] | undefined },
  ): Promise<Row[]> {
    const isNewestOfAll = scope === 'all' && teamId === undefined && before === undefined;
    const shared = isNewestOfAll ? await this.read({ orgId, userId, rows: limit }) : undefined;
    if (shared) return shared;
    const { pool, sqlOf } = this.options;
    const values = [orgId, userId, ...(before ?? beforeAll), limit];
    const { rows } = await (teamId === undefined
      ? tenantQuery<Row>(pool, orgId, sqlOf(scope), values)
      : tenantQuery<Row>(pool, orgId, sqlOf('team-of-id'), [...values, teamId]));
    return rows;
  }

  /** Undefined where the reader is to read their own: theirs is another one, or few have asked since it changed. */
  async read(reading: Reading): Promise<Row[] | undefined> {
    const key = `${reading.orgId} ${reading.rows}`;
    if (reading.userId === strangerId) return undefined;
    const kept = this.kept.get(key) ?? (await this.composed(key, reading));
    if (!kept || kept.differsFor.has(reading.userId)) return undefined;
    const { isCurrent, myReactions } = await this.beside(reading, kept);
    if (isCurrent) return kept.rows.map((row) => ({ ...row, myReactions: myReactions?.[row.id] ?? [] }));
    if (this.kept.get(key) === kept) this.kept.delete(key);
    return undefined;
  }

  private async beside({ orgId, userId }: Reading, { rows: entries, seen }: Kept<Row>): Promise<Beside> {
    const values = [orgId, userId, seen, entries.map(({ id }) => id)];
    const { rows } = await tenantQuery<Beside>(this.options.pool, orgId, besideSql, values);
    return rows[0] ?? { isCurrent: false, myReactions: null };
  }

  /** Of those who find that there is none one reads it, and the others wait for that. */
  private async composed(key: string, reading: Reading): Promise<Kept<Row> | undefined> {
    const others = this.underWay.get(key);
    // Whoever reads it may have less time left than those who wait.
    if (others) return others.catch(() => undefined);
    const readers = (this.alone.get(key) ?? 0) + 1;
    this.alone.set(key, readers);
    if (readers <= readersAlone) return undefined;
    const composing = this.compose(reading);
    this.underWay.set(key, composing);
    try {
      const kept = await composing;
      this.kept.set(key, kept);
      this.alone.delete(key);
      return kept;
    } finally {
      this.underWay.delete(key);
    }
  }

  private compose({ orgId, rows: limit }: Reading): Promise<Kept<Row>> {
    const { pool, sqlOf } = this.options;
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
}
