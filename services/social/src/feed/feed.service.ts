import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Activity, activityFeedItemOf } from './activity.ts';
import { activitiesSqlOf } from './activity-feed.query.ts';
import { pageSqlOf } from './feed.query.ts';
import { feedPostOf, type Post } from './post.ts';
import {
  besideSharedPage,
  type Entry,
  type FeedRange,
  type FeedReader,
  feedRows,
  type FeedScope,
  pagesOfFeed,
  type Reading,
  sharedPage,
  type SharedFeedSource,
  type SharedPage,
} from './shared-feed.query.ts';

const mostKept = 500;
/** A rebuild replaces rows without recording a change, so a cached page expires after this time. */
const keptMilliseconds = 1_000;
/** The third reader within a second makes the page worth caching; feeds that are written more than read cache nothing. */
const readersAlone = 2;
const postOperations = { all: 'readFeedOfAll', team: 'readFeedOfTeam', mine: 'readOwnFeed' } as const;
const activityOperations = {
  all: 'readActivitiesOfAll',
  team: 'readActivitiesOfTeam',
  mine: 'readOwnActivities',
} as const;

/** Pages of both feeds. */
@Injectable()
export class FeedService {
  private readonly posts: SharedFeed<Post>;
  private readonly activities: SharedFeed<Activity>;

  constructor(
    @Inject(Pool) pool: Pool,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
    @Inject(Cursors) private readonly cursors: Cursors,
  ) {
    this.posts = new SharedFeed({ pool, sqlOf: pageSqlOf });
    this.activities = new SharedFeed({ pool, sqlOf: activitiesSqlOf });
  }

  /** A reader with a `teamId` gets that team's entries. Throws `Rejected` for a cursor of another list or reader. */
  async pageOfPosts(
    scope: FeedScope,
    reader: FeedReader,
    query: PageQuery,
  ): Promise<{ posts: FeedPost[]; nextCursor: Cursor | undefined }> {
    const { rows, nextCursor } = await this.pageOf(this.posts, postOperations, { scope, reader, query });
    return { posts: rows.map((post) => feedPostOf(post, this.signingFor(reader))), nextCursor };
  }

  /** A reader with a `teamId` gets that team's entries. Throws `Rejected` for a cursor of another list or reader. */
  async pageOfActivities(
    scope: FeedScope,
    reader: FeedReader,
    query: PageQuery,
  ): Promise<{ activities: ActivityFeedItem[]; nextCursor: Cursor | undefined }> {
    const { rows, nextCursor } = await this.pageOf(this.activities, activityOperations, { scope, reader, query });
    return { activities: rows.map((row) => activityFeedItemOf(row, this.signingFor(reader))), nextCursor };
  }

  private async pageOf<Row extends Entry>(
    feed: SharedFeed<Row>,
    operations: Parameters<typeof pagesOfFeed>[1],
    { scope, reader, query: { limit, cursor } }: { scope: FeedScope; reader: FeedReader; query: PageQuery },
  ) {
    const { orgId, userId, teamId } = reader;
    const pages = pagesOfFeed(this.cursors, operations, { scope, orgId, userId, teamId });
    const range = { rows: limit + 1, before: pages.after(cursor) };
    const rows = await feed.rowsOf(scope, { orgId, userId, teamId }, range);
    return pages.cut(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  }

  private signingFor({ orgId, at }: FeedReader) {
    return { addresses: this.addresses, orgId, at };
  }
}

/**
 * Caches the newest page of an organisation for all readers who see the same entries, and serves it only while nothing
 * that it shows has changed (design/live-pages.md).
 */
export class SharedFeed<Row extends Entry> {
  private readonly kept = new LRUCache<string, SharedPage<Row>>({ max: mostKept, ttl: keptMilliseconds });
  private readonly alone = new LRUCache<string, number>({ max: mostKept, ttl: keptMilliseconds, noUpdateTTL: true });
  private readonly underWay = new Map<string, Promise<SharedPage<Row>>>();
  private readonly source: SharedFeedSource;

  constructor(source: SharedFeedSource) {
    this.source = source;
  }

  async rowsOf(scope: FeedScope, reader: Omit<FeedReader, 'at'>, range: FeedRange): Promise<Row[]> {
    const { orgId, userId, teamId } = reader;
    const isNewestOfAll = scope === 'all' && teamId === undefined && range.before === undefined;
    const shared = isNewestOfAll ? await this.read({ orgId, userId, rows: range.rows }) : undefined;
    return shared ?? feedRows<Row>(this.source, scope, reader, range);
  }

  /** Undefined when the shared page does not fit: the reader's page differs, or few readers asked since it changed. */
  async read(reading: Reading): Promise<Row[] | undefined> {
    const key = `${reading.orgId} ${reading.rows}`;
    if (reading.userId === strangerId) return undefined;
    const kept = this.kept.get(key) ?? (await this.compose(key, reading));
    if (!kept || kept.differsFor.has(reading.userId)) return undefined;
    const { isCurrent, myReactions } = await besideSharedPage(this.source.pool, reading, kept);
    if (isCurrent) return kept.rows.map((row) => ({ ...row, myReactions: myReactions?.[row.id] ?? [] }));
    if (this.kept.get(key) === kept) this.kept.delete(key);
    return undefined;
  }

  /** One caller reads the page, and those who ask meanwhile wait for it. */
  private async compose(key: string, reading: Reading): Promise<SharedPage<Row> | undefined> {
    const others = this.underWay.get(key);
    // The caller that reads it may run out of time before those who wait; then they read a page of their own.
    if (others) return others.catch(() => undefined);
    const readers = (this.alone.get(key) ?? 0) + 1;
    this.alone.set(key, readers);
    if (readers <= readersAlone) return undefined;
    const composing = sharedPage<Row>(this.source, reading);
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
}
