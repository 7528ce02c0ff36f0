import type { ReactionEmoji } from '@caravan/contracts/fields';
import { strangerId } from '@caravan/contracts/unnamed';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres';
import type { Pool } from '@caravan/service-kit/pool';
import { LRUCache } from 'lru-cache';

const mostKept = 500;
/** What a rebuild puts in place of the rows leaves no mark. */
const keptMilliseconds = 1_000;
/** So many within a second read it anew before it is kept: where more is written than read, that would be for nothing. */
const readersAlone = 2;

type Entry = { readonly id: string; readonly createdAt: Date; readonly myReactions: readonly ReactionEmoji[] };

export type Reading = { readonly orgId: string; readonly userId: string; readonly rows: number };

type SharedFeedOptions<Row> = {
  readonly pool: Pool;
  /** $1 organisation, $2 reader, $3 and $4 before all, $5 rows; reads no tables but those with a trigger `note_feed_change`. */
  readonly pageSql: string;
  readonly beforeAll: readonly unknown[];
  /** Whether this member, who shares no measures, may see some in this entry all the same. */
  readonly hasMeasuresOf?: (row: Row, userId: string) => boolean;
};

type Kept<Row> = {
  readonly rows: readonly Row[];
  /** The snapshot, or an earlier one. */
  readonly seen: string;
};

type Beside = {
  /** Nothing that feeds show has changed since. */
  readonly isCurrent: boolean;
  /** Shows all of theirs to others, and so sees nothing more than they do, but for the following. */
  readonly isOpen: boolean;
  readonly sharesMeasures: boolean;
  readonly hasHiddenComments: boolean;
  /** Of the newest entry that nobody else is shown (D21). */
  readonly ownAt: Date | null;
  /** By entry; null: none. */
  readonly myReactions: Readonly<Record<string, readonly ReactionEmoji[]>> | null;
};

// Who wrote at or beyond the end of the snapshot, or was under way in it, and is seen now.
const besideSql = `
  select not exists (
      select from feed_changes c where c.org_id = $1 and c.xid >= pg_snapshot_xmax($3::pg_snapshot)
    ) and not exists (
      select from pg_snapshot_xip($3::pg_snapshot) as under_way, lateral (
        select from feed_changes c where c.org_id = $1 and c.xid = under_way offset 0
      ) late
    ) as "isCurrent",
    m.activity_visible and m.profile_visible and not m.is_erased as "isOpen",
    m.share_heart_rate and m.share_calories as "sharesMeasures",
    exists (select from comments k where k.org_id = $1 and k.author_id = $2 and k.hidden_at is not null)
      as "hasHiddenComments",
    (select max(p.created_at) from posts p where p.org_id = $1 and p.user_id = $2 and p.audience = 'owner') as "ownAt",
    (select json_object_agg(mine.log_id, mine.emojis) from (
      select r.log_id, json_agg(r.emoji order by r.emoji) as emojis from reactions r
      where r.org_id = $1 and r.log_id = any($4::uuid[]) and r.user_id = $2 group by 1
    ) mine) as "myReactions"
  from members m where m.org_id = $1 and m.user_id = $2`;

/**
 * The newest entries of an organisation, read once for all who see the same of them and shown only while nothing of it
 * has changed (ADR 0083).
 */
export class SharedFeed<Row extends Entry> {
  private readonly kept = new LRUCache<string, Kept<Row>>({ max: mostKept, ttl: keptMilliseconds });
  private readonly alone = new LRUCache<string, number>({ max: mostKept, ttl: keptMilliseconds, noUpdateTTL: true });
  private readonly underWay = new Map<string, Promise<Kept<Row>>>();
  private readonly options: SharedFeedOptions<Row>;

  constructor(options: SharedFeedOptions<Row>) {
    this.options = options;
  }

  /** Undefined where the reader is to read their own: they see more than others, or few have asked since it changed. */
  async read(reading: Reading): Promise<Row[] | undefined> {
    const key = `${reading.orgId} ${reading.rows}`;
    if (reading.userId === strangerId) return undefined;
    const kept = this.kept.get(key) ?? (await this.composed(key, reading));
    const beside = kept && (await this.beside(reading, kept));
    if (!kept || !beside || this.seesMore(reading, kept, beside)) return undefined;
    if (beside.isCurrent) return kept.rows.map((row) => ({ ...row, myReactions: beside.myReactions?.[row.id] ?? [] }));
    if (this.kept.get(key) === kept) this.kept.delete(key);
    return undefined;
  }

  private seesMore({ userId, rows }: Reading, kept: Kept<Row>, beside: Beside): boolean {
    const { isOpen, sharesMeasures, hasHiddenComments, ownAt } = beside;
    const oldest = kept.rows.length < rows ? undefined : kept.rows.at(-1);
    const isOwnAmong = ownAt !== null && (oldest === undefined || ownAt >= oldest.createdAt);
    const { hasMeasuresOf = () => false } = this.options;
    const isMeasured = !sharesMeasures && kept.rows.some((row) => hasMeasuresOf(row, userId));
    return !isOpen || hasHiddenComments || isOwnAmong || isMeasured;
  }

  private async beside({ orgId, userId }: Reading, kept: Kept<Row>): Promise<Beside | undefined> {
    const ids = kept.rows.map(({ id }) => id);
    const { rows } = await tenantQuery<Beside>(this.options.pool, orgId, besideSql, [orgId, userId, kept.seen, ids]);
    return rows[0];
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
    const { pool, pageSql, beforeAll } = this.options;
    return withTenant(pool, orgId, async (tx) => {
      // The older snapshot of both: what is seen of a later one too counts as changed.
      const [snapshots, { rows }] = await Promise.all([
        tx.query<{ seen: string }>('select pg_current_snapshot()::text as seen'),
        tx.query<Row>(pageSql, [orgId, strangerId, ...beforeAll, limit]),
      ]);
      return { rows, seen: snapshots.rows[0]?.seen ?? '1:1:' };
    });
  }
}
