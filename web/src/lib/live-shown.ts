import type { FeedPost } from '@caravan/contracts/http/feed';
import type { LiveShown } from '@caravan/contracts/http/live';
import type { BonusChallenge, ChallengeProgress } from '@caravan/contracts/http/challenges';
import type { Journey } from '@caravan/contracts/http/journeys';
import type { LiveTopic } from '@caravan/contracts/live-topics';
import type { InfiniteData, Query, QueryKey } from '@tanstack/react-query';

const weeklyPath = '/api/weekly-challenges';
const topics: Readonly<Record<string, LiveTopic>> = {
  '/api/dashboard/stats': 'stats',
  '/api/leaderboard': 'board',
  '/api/leaderboard week': 'board-week',
  '/api/journey': 'journey',
  '/api/bonus-challenge': 'bonus',
  '/api/feed all': 'feed',
  '/api/feed team': 'feed-team',
};

/** The topic of the live stream that carries a query's answer; undefined for what has to be asked for. */
export const topicOf = (key: QueryKey): LiveTopic | undefined =>
  key[0] === weeklyPath ? 'challenges' : topics[key.join(' ')];

/**
 * Whether what came of a query's topic is all that the query shows: of a list of several pages it is the first alone, of
 * challenges often one's team's progress alone, and nothing where nothing changed for the reader.
 */
export function isCovered({ queryKey, state }: Query, shown: LiveShown): boolean {
  const topic = topicOf(queryKey);
  const carried = topic && shown[topic];
  if (!carried || Object.keys(carried).length === 0) return false;
  if (topic === 'feed' || topic === 'feed-team') return !isDeep({ state });
  if (topic !== 'challenges') return true;
  if (queryKey.length === 1) return shown.challenges?.weekly !== undefined;
  const { currentProgress, bonusAwarded } = shown.challenges?.progress?.[String(queryKey[1])] ?? {};
  return currentProgress !== undefined && bonusAwarded !== undefined;
}

/** A list of several pages: what is new in the first says nothing of the others. */
export const isDeep = ({ state }: Pick<Query, 'state'>): boolean =>
  Boolean((state.data as Partial<Feed> | null | undefined)?.pages?.[1]);

/** What a query's answer becomes by what the stream carries of its topic; undefined where it has to be asked for. */
export function placed(key: QueryKey, before: unknown, shown: LiveShown): unknown {
  const topic = topicOf(key);
  if (topic && Object.keys(shown[topic] ?? {}).length === 0) return before;
  switch (topic) {
    case 'stats':
      return { ...(before as object), ...shown.stats };
    case 'board':
      return { ...(before as object), ...shown.board };
    case 'board-week':
      return { ...(before as object), ...shown['board-week'] };
    case 'journey':
      return shown.journey && withTeams(before as Journey, shown.journey);
    case 'challenges':
      return shown.challenges && withProgress(key, before, shown.challenges);
    case 'bonus':
      return shown.bonus && bonusOf(before as BonusChallenge | null, shown.bonus);
    case 'feed':
      return shown.feed && withNewest(before as Feed, shown.feed);
    case 'feed-team':
      return shown['feed-team'] && withNewest(before as Feed, shown['feed-team']);
    case undefined:
      return undefined;
  }
}

/** Teams on another route: the route itself has to be asked for. */
function withTeams(before: Journey | null, { routeId, ...news }: LiveShown['journey'] & {}): object | undefined {
  return before?.route.id === routeId ? Object.assign({}, before, news) : undefined;
}

function withProgress(key: QueryKey, before: unknown, { weekly, progress }: LiveShown['challenges'] & {}): unknown {
  if (key.length === 1) return weekly ?? before;
  return { ...(before as ChallengeProgress), ...progress?.[String(key[1])] };
}

function bonusOf(before: BonusChallenge | null, { open, isCompleted }: LiveShown['bonus'] & {}) {
  return open && { ...open, isCompleted: isCompleted ?? (before?.id === open.id && before.isCompleted) };
}

type Feed = InfiniteData<{ rows: FeedPost[]; next: string | null } | null>;
type Newest = LiveShown['feed'] & {};

/** The first page is the newest posts. Where more pages are open it grows, so that none is missing between it and the next. */
function withNewest(feed: Feed, { posts, next = null }: Newest): Feed | undefined {
  const [first, ...older] = feed.pages;
  if (!first || !posts) return undefined;
  if (older.length === 0) return { ...feed, pages: [{ rows: posts, next }] };
  const [ids, last] = [new Set(posts.map(({ id }) => id)), posts.at(-1)];
  const isOlder = ({ createdAt, id }: FeedPost) =>
    last !== undefined && (createdAt < last.createdAt || (createdAt === last.createdAt && id < last.id));
  // More are new than the stream carries.
  if (!first.rows.some(({ id }) => ids.has(id))) return undefined;
  const pages = older.map((page) => page && { ...page, rows: page.rows.filter(({ id }) => !ids.has(id)) });
  return { ...feed, pages: [{ ...first, rows: [...posts, ...first.rows.filter(isOlder)] }, ...pages] };
}
