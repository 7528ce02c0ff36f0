import type { LiveShown } from '@caravan/contracts/http/live';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Change, ChangedEntries, commentCountSql, entrySql, isCommentVisibleSql } from '../feed/index.ts';
import type { AfterVisibility } from '../ports.ts';
import { type CommentRow, commentOf } from './comment.ts';
import { commentColumns, commentTables, signedComment } from './comments.query.ts';

/** Of the latest changes the comments themselves travel, so that the part stays small. */
const mostTold = 24;

const threadsSql = `
  select t.entry_id, ${commentCountSql('t.entry_id')} as count
  from unnest($3::uuid[]) as t (entry_id) where exists (${entrySql('t.entry_id')})`;

const commentsSql = `
  select ${commentColumns} from ${commentTables}
  where k.org_id = $1 and k.comment_id = any($3::uuid[]) and ${isCommentVisibleSql}
  order by k.created_at, k.comment_id`;

// Who hides something sees more of their own, as do those whose comment an admin has hidden, and the owner of an entry
// that nobody else is shown (D21).
const plainReadersSql = `
  select u.user_id from members u
  where u.org_id = $1 and u.user_id = any($2::uuid[]) and u.activity_visible and u.profile_visible and not u.is_erased
    and not exists (select from comments k where k.org_id = $1 and k.entry_id = any($3::uuid[])
      and k.author_id = u.user_id and k.hidden_at is not null)
    and not exists (select from posts p where p.org_id = $1 and p.log_id = any($3::uuid[])
      and p.user_id = u.user_id and p.audience = 'owner')`;

const latestOfAuthorSql = `
  select entry_id, comment_id from comments
  where org_id = $1 and author_id = $2 order by created_at desc limit $3`;

/** What changed below entries, as a stranger of the organisation may see it (ADR 0036). */
@Injectable()
export class LiveComments implements OnModuleInit, AfterVisibility {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ChangedEntries) private readonly changed: ChangedEntries,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  onModuleInit(): void {
    this.live.compose('comments', (asked) => this.threads(asked));
  }

  /** What a member wrote, and where others name them, stands in any thread: all that are open ask, as does who shows reactions. */
  memberChanged({ orgId }: { orgId: string }, batch: BatchContext): void {
    batch.afterCommit(() => {
      this.changed.noteAll('comments', orgId);
      this.live.publish(orgId, ['comments', 'reactions']);
    });
  }

  /** The latest are told one by one, so that a new name sends nobody to ask. */
  async memberRenamed({ orgId, userId }: { orgId: string; userId: string }, batch: BatchContext): Promise<void> {
    const { rows } = await batch.tx.query<Change & { readonly commentId: string }>(latestOfAuthorSql, [
      orgId,
      userId,
      mostTold,
    ]);
    if (rows.length === 0) return;
    batch.afterCommit(() => {
      this.changed.note('comments', orgId, rows);
      this.live.publish(orgId, ['comments']);
    });
  }

  private async threads({ orgId, at, readers, isForAll, wanted }: Asked): Promise<Composed<'comments'>> {
    const asking = isForAll ? readers : [...wanted];
    const changes = await this.changed.latest('comments', orgId);
    if (!changes) return { all: { threads: [] }, ask: asking };
    const ids = (some: readonly Change[]) => some.flatMap(({ commentId }) => commentId ?? []);
    const told = ids(changes.slice(0, mostTold));
    const byEntry = Map.groupBy(changes, ({ entryId }) => entryId);
    const entryIds = [...byEntry.keys()];
    const [threads, comments, plain] = await withTenant(this.pool, orgId, (tx) =>
      Promise.all([
        tx.query<{ entryId: string; count: number }>(threadsSql, [orgId, strangerId, entryIds]),
        tx.query<CommentRow>(commentsSql, [orgId, strangerId, told]),
        tx.query<{ userId: string }>(plainReadersSql, [orgId, readers, entryIds]),
      ]),
    );
    const signing = { addresses: this.addresses, orgId, at };
    const shown = new Map(comments.rows.map((row) => [row.id, signedComment(commentOf(row), signing)]));
    const known = new Set(plain.rows.map(({ userId }) => userId));
    return {
      all: {
        threads: threads.rows.map(({ entryId, count }) => {
          const changed = ids(byEntry.get(entryId) ?? []);
          if (changed.some((id) => !told.includes(id))) return { entryId, count, changed: null, gone: [] };
          return {
            entryId,
            count,
            changed: [...shown.values()].filter(({ id }) => changed.includes(id)),
            gone: changed.filter((id) => !shown.has(id)),
          };
        }),
      } satisfies LiveShown['comments'],
      ask: asking.filter((userId) => !known.has(userId)),
    };
  }
}
