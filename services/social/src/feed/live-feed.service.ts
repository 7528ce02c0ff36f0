import { strangerId } from '@caravan/contracts/domain/unnamed';
import { type Asked, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type PlainReader, plainReaders } from './feed.query.ts';
import { FeedService } from './feed.service.ts';

const limit = 10;
/** Read in one tick; members of other teams ask. */
const mostTeams = 20;

/** `since`: nothing older stands on it; null where it holds all there is. */
type Page<Data> = { readonly data: Data; readonly since: Date | null };
type Newest<Data> = (asked: Asked, teamId?: string) => Promise<Page<Data>>;

/** Of their own: a stranger's page would take it away. */
const seesMoreOn =
  ({ since }: Pick<Page<unknown>, 'since'>) =>
  ({ ownAt }: PlainReader) =>
    ownAt !== null && (since === null || ownAt >= since);

const idsOf = (readers: readonly PlainReader[]) => readers.map(({ userId }) => userId);

/** As a stranger of the organisation may see them (design/live-pages.md). */
@Injectable()
export class LiveFeed implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(FeedService) private readonly feed: FeedService,
  ) {}

  onModuleInit(): void {
    const posts = this.posts.bind(this);
    const activities = this.activities.bind(this);
    this.live.compose('feed', (asked) => this.all(asked, posts));
    this.live.compose('feed-team', (asked) => this.ofTeams(asked, posts));
    this.live.compose('activities', (asked) => this.all(asked, activities));
    this.live.compose('activities-team', (asked) => this.ofTeams(asked, activities));
  }

  private async all<Data extends object>(asked: Asked, newest: Newest<Data>) {
    const [{ plain, ask }, page] = await Promise.all([this.readersOf(asked), newest(asked)]);
    return { all: page.data, ask: [...ask, ...idsOf(plain.filter(seesMoreOn(page)))] };
  }

  private async ofTeams<Data extends object>(asked: Asked, newest: Newest<Data>) {
    const { plain, ask } = await this.readersOf(asked);
    const byTeam = [...Map.groupBy(plain, ({ teamId }) => teamId)];
    const composed = byTeam.slice(0, mostTeams).map(async ([teamId, readers]) => {
      const page = await newest(asked, teamId);
      const asking = new Set(readers.filter(seesMoreOn(page)));
      return {
        to: idsOf(readers.filter((reader) => !asking.has(reader))),
        data: page.data,
        asking: idsOf([...asking]),
      };
    });
    const some = await Promise.all(composed);
    return {
      all: {},
      some: some.map(({ to, data }) => ({ to, data })),
      ask: [
        ...ask,
        ...some.flatMap(({ asking }) => asking),
        ...byTeam.slice(mostTeams).flatMap(([, readers]) => idsOf(readers)),
      ],
    };
  }

  private async posts({ orgId, at }: Asked, teamId?: string) {
    const { posts, nextCursor } = await this.feed.pageOfPosts(
      'all',
      { orgId, userId: strangerId, at, teamId },
      { limit },
    );
    // What is one's own is nobody else's: a page keeps what it knows of it.
    const shown = posts.map((post) => ({ ...post, myReactions: undefined }));
    return { data: { posts: shown, next: nextCursor ?? null }, since: oldestOf(posts, nextCursor) };
  }

  private async activities({ orgId, at }: Asked, teamId?: string) {
    const reader = { orgId, userId: strangerId, at, teamId };
    const { activities, nextCursor } = await this.feed.pageOfActivities('all', reader, { limit });
    const shown = activities.map((activity) => ({ ...activity, myReactions: undefined }));
    return { data: { activities: shown, next: nextCursor ?? null }, since: oldestOf(activities, nextCursor) };
  }

  /** Who hides something sees more of the own posts, and asks; so does who is not known yet. */
  private async readersOf({ orgId, readers, isForAll, wanted }: Asked) {
    const asking = isForAll ? readers : [...wanted];
    const plain = await plainReaders(this.pool, orgId, asking);
    const known = new Set(plain.map(({ userId }) => userId));
    return { plain, ask: asking.filter((userId) => !known.has(userId)) };
  }
}

const oldestOf = (rows: readonly { readonly createdAt: string }[], nextCursor: string | undefined): Date | null =>
  nextCursor === undefined ? null : new Date(rows.at(-1)?.createdAt ?? 0);
