import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ChangedEntries } from '../feed/index.ts';
import { reactionCounts } from './live-reactions.query.ts';

/** Counts travel with the news (design/live-pages.md): nobody asks for a page because somebody cheered. */
@Injectable()
export class LiveReactions implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ChangedEntries) private readonly changed: ChangedEntries,
  ) {}

  onModuleInit(): void {
    this.live.compose('reactions', (asked) => this.compose(asked));
  }

  /** After the commit. */
  tell(orgId: string, logId: string): void {
    this.changed.note('reactions', orgId, [{ entryId: logId }]);
    this.live.publish(orgId, ['reactions']);
  }

  private async compose({ orgId, readers, isForAll, wanted }: Asked): Promise<Composed<'reactions'>> {
    const changes = await this.changed.latest('reactions', orgId);
    if (!changes) return { all: { posts: {} }, ask: isForAll ? readers : [...wanted] };
    const logIds = changes.map(({ entryId }) => entryId);
    const rows = await reactionCounts(this.pool, orgId, logIds);
    const shown = rows.filter(({ shownTo }) => shownTo === null);
    return {
      all: { posts: Object.fromEntries(shown.map(({ logId, reactions }) => [logId, reactions])) },
      ask: rows.flatMap(({ shownTo }) => (shownTo === null ? [] : [shownTo])),
    };
  }
}
