import type { LiveShown } from '@caravan/contracts/http/live';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Change, ChangedEntries } from '../feed/index.ts';
import type { AfterVisibility } from '../ports.ts';
import { commentOf } from './comment.ts';
import { signedComment } from './comments.query.ts';
import { commentsOf, latestCommentsOf, plainReaders, threadsOf } from './live-comments.query.ts';

/** Only the latest comments are sent with their text, so that the message stays small. */
const maxComments = 24;

/** Sends changed threads as a member without relations to their authors sees them (design/live-pages.md). */
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

  /** A member may have written or be named in any thread, so every page with open threads or reactions asks again. */
  memberChanged({ orgId }: { orgId: string }, batch: BatchContext): void {
    batch.afterCommit(() => {
      this.changed.noteAll('comments', orgId);
      this.live.publish(orgId, ['comments', 'reactions']);
    });
  }

  /** The latest are told one by one, so that a new name sends nobody to ask. */
  async memberRenamed({ orgId, userId }: { orgId: string; userId: string }, batch: BatchContext): Promise<void> {
    const changes = await latestCommentsOf(batch.tx, { orgId, userId }, maxComments);
    if (changes.length === 0) return;
    batch.afterCommit(() => {
      this.changed.note('comments', orgId, changes);
      this.live.publish(orgId, ['comments']);
    });
  }

  private async threads({ orgId, at, readers, isForAll, wanted }: Asked): Promise<Composed<'comments'>> {
    const asking = isForAll ? readers : [...wanted];
    const changes = await this.changed.latest('comments', orgId);
    if (!changes) return { all: { threads: [] }, ask: asking };
    const ids = (some: readonly Change[]) => some.flatMap(({ commentId }) => commentId ?? []);
    const told = ids(changes.slice(0, maxComments));
    const byEntry = Map.groupBy(changes, ({ entryId }) => entryId);
    const entryIds = [...byEntry.keys()];
    const [threads, comments, plain] = await withTenant(this.pool, orgId, (tx) =>
      Promise.all([
        threadsOf(tx, orgId, entryIds),
        commentsOf(tx, orgId, told),
        plainReaders(tx, orgId, readers, entryIds),
      ]),
    );
    const signing = { addresses: this.addresses, orgId, at };
    const shown = new Map(comments.map((row) => [row.id, signedComment(commentOf(row), signing)]));
    const known = new Set(plain);
    return {
      all: {
        threads: threads.map(({ entryId, count }) => {
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
