import type { ReactionCounts } from '@caravan/contracts/http/feed';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ChangedEntries } from '../feed/index.ts';

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

/** Counts travel with the news (ADR 0036): nobody asks for a page because somebody cheered. */
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
    const { rows } = await tenantQuery<Row>(this.pool, orgId, countsSql, [orgId, logIds]);
    const shown = rows.filter(({ shownTo }) => shownTo === null);
    return {
      all: { posts: Object.fromEntries(shown.map(({ logId, reactions }) => [logId, reactions])) },
      ask: rows.flatMap(({ shownTo }) => (shownTo === null ? [] : [shownTo])),
    };
  }
}
