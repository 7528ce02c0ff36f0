import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { NameOptions } from '@caravan/contracts/http/ballots';
import type { FeedPost } from '@caravan/contracts/http/feed';
import type { LiveShown } from '@caravan/contracts/http/live';
import type { BonusChallenge, ChallengeProgress } from '@caravan/contracts/http/challenges';
import type { Journey } from '@caravan/contracts/http/journeys';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import type { InfiniteData, Query, QueryKey } from '@tanstack/react-query';
import { isFeedList, isThread } from './feed-lists.ts';
import { withParts } from './live-parts.ts';

const weeklyPath = '/api/weekly-challenges';
const topics: Readonly<Record<string, LiveTopic>> = {
  '/api/dashboard/stats': 'stats',
  '/api/leaderboard': 'board',
  '/api/leaderboard week': 'board-week',
  '/api/journey': 'journey',
  '/api/bonus-challenge': 'bonus',
  '/api/feed all': 'feed',
  '/api/feed team': 'feed-team',
  '/api/activity-feed all': 'activities',
  '/api/activity-feed team': 'activities-team',
};
/** Their rows are whole lists, newest first. */
const listTopics: ReadonlySet<LiveTopic> = new Set(['feed', 'feed-team', 'activities', 'activities-team']);

/** The topic of the live stream that carries a query's answer; undefined for what has to be asked for. */
export function topicOf(key: QueryKey): LiveTopic | undefined {
  if (key[0] === weeklyPath) return 'challenges';
  return isNameOptions(key) ? 'ballot' : topics[key.join(' ')];
}

/** The topics that change a part of a query's answer, whatever carries the rest of it. */
export function partTopicsOf(key: QueryKey): LiveTopic[] {
  if (isFeedList(key)) return ['reactions', 'comments'];
  return isThread(key) ? ['comments'] : [];
}

const isNameOptions = (key: QueryKey) => key[0] === '/api/teams' && key[2] === 'name-options';

/**
 * Whether what came of a query's topic is all that the query shows: of a list of several pages it is the first alone, of
 * challenges often one's team's progress alone, and nothing where nothing changed for the reader.
 */
export function isCovered({ queryKey, state }: Query, shown: LiveShown): boolean {
  const topic = topicOf(queryKey);
  const carried = topic && shown[topic];
  if (!carried || Object.keys(carried).length === 0) return false;
  if (listTopics.has(topic)) return !isDeep({ state });
  if (topic !== 'challenges') return true;
  if (queryKey.length === 1) return shown.challenges?.weekly !== undefined;
  const { currentProgress, bonusAwarded } = shown.challenges?.progress?.[String(queryKey[1])] ?? {};
  return currentProgress !== undefined && bonusAwarded !== undefined;
}

/** A list of several pages: what is new in the first says nothing of the others. */
export const isDeep = ({ state }: Pick<Query, 'state'>): boolean =>
  Boolean((state.data as Partial<Feed> | null | undefined)?.pages?.[1]);

/** What a query's answer becomes by what the stream carries of it; undefined where it has to be asked for. */
export function placeShown(key: QueryKey, before: unknown, shown: LiveShown): unknown {
  const whole = placedWhole(key, before, shown);
  return whole === undefined ? undefined : withParts(key, whole, shown);
}

function placedWhole(key: QueryKey, before: unknown, shown: LiveShown): unknown {
  const topic = topicOf(key);
  if (!topic || Object.keys(shown[topic] ?? {}).length === 0) return before;
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
    case 'ballot':
      return shown.ballot?.options && withOwnVote(before as NameOptions | null | undefined, shown.ballot.options);
    case 'activities':
      return shown.activities && withNewestActivities(before as Activities, shown.activities);
    case 'activities-team':
      return shown['activities-team'] && withNewestActivities(before as Activities, shown['activities-team']);
    // Parts of queries of other topics.
    case 'comments':
    case 'reactions':
      return before;
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

/** What one chose oneself is not told; it is not known of a ballot that the page has not shown. */
function withOwnVote(
  before: NameOptions | null | undefined,
  options: Omit<NameOptions, 'chosenName'>,
): NameOptions | undefined {
  if (options.hasVoted && (before?.ballotId !== options.ballotId || !before.hasVoted)) return undefined;
  return { ...options, chosenName: options.hasVoted ? (before?.chosenName ?? null) : null };
}

type Feed = InfiniteData<{ rows: FeedPost[]; next: string | null } | null>;
type Newest = LiveShown['feed'] & {};

function withNewest(feed: Feed, { posts, next = null }: Newest): Feed | undefined {
  const pages = pagesWith(
    feed.pages.map((page) => page?.rows ?? []),
    posts,
  );
  const isOne = feed.pages.length === 1;
  return (
    pages && {
      ...feed,
      pages: feed.pages.map((page, at) => page && { next: isOne ? next : page.next, rows: pages[at] ?? [] }),
    }
  );
}

type Activities = InfiniteData<{ activities: ActivityFeedItem[]; hasMore: boolean; next: string | null } | null>;

function withNewestActivities(
  feed: Activities,
  { activities, next = null }: LiveShown['activities'] & {},
): Activities | undefined {
  const pages = pagesWith(
    feed.pages.map((page) => page?.activities ?? []),
    activities,
  );
  const isOne = feed.pages.length === 1;
  const more = isOne && { next, hasMore: next !== null };
  return (
    pages && { ...feed, pages: feed.pages.map((page, at) => page && { ...page, ...more, activities: pages[at] ?? [] }) }
  );
}

/** The first page is the newest rows. Where more pages are open it grows, so that none is missing between it and the next. */
function pagesWith<Row extends Pick<FeedPost, 'id' | 'createdAt' | 'myReactions'>>(
  [first, ...older]: readonly (readonly Row[])[],
  told: readonly Row[] | undefined,
): Row[][] | undefined {
  if (!first || !told) return undefined;
  // What many are told says nothing of one's own reactions.
  const own = new Map([first, ...older].flat().map(({ id, myReactions }) => [id, myReactions]));
  const newest = told.map((row) => ({ ...row, myReactions: row.myReactions ?? own.get(row.id) ?? [] }));
  if (older.length === 0) return [[...newest]];
  const ids = new Set(newest.map(({ id }) => id));
  const last = newest.at(-1);
  const isOlder = ({ createdAt, id }: Row) =>
    last !== undefined && (createdAt < last.createdAt || (createdAt === last.createdAt && id < last.id));
  // More are new than the stream carries.
  if (!first.some(({ id }) => ids.has(id))) return undefined;
  return [[...newest, ...first.filter(isOlder)], ...older.map((rows) => rows.filter(({ id }) => !ids.has(id)))];
}
