import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

export type FeedPage = { rows?: FeedPost[]; activities?: ActivityFeedItem[] };
/** What a query of a feed holds: its pages, of posts or of activities. */
export type FeedList = InfiniteData<FeedPage | null>;

const feedPaths: readonly unknown[] = ['/api/feed', '/api/activity-feed', '/api/feed/entries'];

/**
 * Of the queries below the feeds' paths those that list entries, not what belongs to one of them. An entry that stands
 * alone is a list of one.
 */
export const isFeedList = (key: QueryKey): boolean => key.length === 2 && feedPaths.includes(key[0]);

/** The comments below an entry. */
export const isThread = (key: QueryKey): boolean => key[0] === '/api/feed' && key[2] === 'comments';

export type FeedChanges = {
  post: (post: FeedPost) => FeedPost;
  activity: (activity: ActivityFeedItem) => ActivityFeedItem;
};

/** A page with each of its entries changed. */
export const pageWith = <Page extends FeedPage>(page: Page, { post, activity }: FeedChanges): Page => ({
  ...page,
  ...(page.rows && { rows: page.rows.map(post) }),
  ...(page.activities && { activities: page.activities.map(activity) }),
});

/** A list with each of its entries changed. */
export const listWith = (list: FeedList, changes: FeedChanges): FeedList => ({
  ...list,
  pages: list.pages.map((page) => page && pageWith(page, changes)),
});

/** Changes entries in all pages of all feeds; a feed that is out of date stays so. */
export function changeFeeds(queryClient: QueryClient, changes: FeedChanges): void {
  const lists = queryClient.getQueryCache().findAll({ predicate: ({ queryKey }) => isFeedList(queryKey) });
  for (const query of lists) {
    const isOutOfDate = query.state.isInvalidated;
    queryClient.setQueryData<FeedList>(query.queryKey, (list) => list && listWith(list, changes));
    if (isOutOfDate) query.invalidate();
  }
}

/** One more or less; never below 0. */
export const addToCount = (count: number, by: number): number => Math.max(0, count + by);

/** A comment more or less below an entry. */
export function countComment(queryClient: QueryClient, entryId: string, by: number): void {
  changeFeeds(queryClient, {
    post: (post) => (post.id === entryId ? { ...post, comments: addToCount(post.comments, by) } : post),
    activity: (activity) =>
      activity.id === entryId
        ? { ...activity, reactions: { ...activity.reactions, comments: addToCount(activity.reactions.comments, by) } }
        : activity,
  });
}
