import { strangerId } from '@caravan/contracts/unnamed';
import { tenantQuery } from '@caravan/event-store/postgres';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { FeedQuery } from './feed.query.ts';
import { feedPostOf } from './post.ts';

const limit = 10;
/** Read in one tick; members of other teams ask. */
const mostTeams = 20;

type Reader = { readonly userId: string; readonly teamId: string };

/** As a stranger of the organisation may see them (ADR 0036). */
@Injectable()
export class LiveFeed implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(FeedQuery) private readonly feed: FeedQuery,
  ) {}

  onModuleInit(): void {
    this.live.compose('feed', (asked) => this.all(asked));
    this.live.compose('feed-team', (asked) => this.ofTeams(asked));
  }

  private async all(asked: Asked): Promise<Composed<'feed'>> {
    const { ask } = await this.readersOf(asked);
    return { all: await this.newest(asked.orgId), ask };
  }

  private async ofTeams(asked: Asked): Promise<Composed<'feed-team'>> {
    const { plain, ask } = await this.readersOf(asked);
    const byTeam = [...Map.groupBy(plain, ({ teamId }) => teamId)];
    const idsOf = (readers: readonly Reader[]) => readers.map(({ userId }) => userId);
    const some = byTeam.slice(0, mostTeams).map(async ([teamId, readers]) => {
      return { to: idsOf(readers), data: await this.newest(asked.orgId, teamId) };
    });
    return {
      all: {},
      some: await Promise.all(some),
      ask: [...ask, ...byTeam.slice(mostTeams).flatMap(([, readers]) => idsOf(readers))],
    };
  }

  private async newest(orgId: string, teamId?: string) {
    const { posts, nextCursor } = await this.feed.page('all', { orgId, userId: strangerId, teamId }, { limit });
    return { posts: posts.map(feedPostOf), next: nextCursor ?? null };
  }

  /** Who hides something sees more of the own posts, and asks; so does who is not known yet. */
  private async readersOf({ orgId, readers, isForAll, wanted }: Asked): Promise<{ plain: Reader[]; ask: string[] }> {
    const asking = isForAll ? readers : [...wanted];
    const { rows: plain } = await tenantQuery<Reader>(
      this.pool,
      orgId,
      `select user_id as "userId", team_id as "teamId" from members
       where org_id = $1 and user_id = any($2::uuid[]) and activity_visible and profile_visible and not is_erased`,
      [orgId, asking],
    );
    const known = new Set(plain.map(({ userId }) => userId));
    return { plain, ask: asking.filter((userId) => !known.has(userId)) };
  }
}
