import type { ActivityFeed, ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { Reaction } from '@caravan/contracts/http/feed';
import {
  infiniteQueryOptions,
  type Mutation,
  type MutationFilters,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { postOf } from '../../lib/answers.ts';
import { client } from '../../lib/api/generated/client.gen.ts';
import { reactToPost, readFeedEntry } from '../../lib/api/generated/sdk.gen.ts';
import type { ReactToPostResponse } from '../../lib/api/generated/types.gen.ts';
import { complete } from '../../lib/complete.ts';
import { changeFeeds, type FeedPage, pageWith } from '../../lib/feed-lists.ts';
import { nextCursor, pagedQuery } from '../../lib/pages.ts';
import { sendOnce } from '../../lib/keyed-requests.ts';
import { nullWhenSignedOut } from '../../lib/query-client.ts';
import { keysOf, refresh } from '../../lib/query-keys.ts';
import { changesBy, type OwnReaction } from './own-reaction.ts';

const pageSize = 10;

/** The posts of one tab. */
export const feedQuery = (tab: FeedTab) => pagedQuery(['/api/feed', tab], pageSize, postOf, withOwnPresses);

const feedTabs = ['all', 'mine', 'team'] as const;
export type FeedTab = (typeof feedTabs)[number];

/** What was stored last time, else all (9.21). */
export const feedTabOf = (stored: string | null): FeedTab => feedTabs.find((tab) => tab === stored) ?? 'all';

/** `following` is oneself (7.29, D17). */
export type ActivityScope = 'all' | 'team' | 'following';
type ActivityPage = { activities: ActivityFeedItem[]; hasMore: boolean; next: string | null };

/** An activity with what stands for the fields that section 3 does not name (D44). */
function activityOf(answer: Partial<ActivityFeedItem>): ActivityFeedItem {
  const nothing: ActivityFeedItem['reactions'] = { likes: 0, comments: 0 };
  const activity = complete<ActivityFeedItem>(answer, {
    id: '',
    kind: 'movement',
    userName: '',
    userPhotoUrl: null,
    profileId: null,
    teamName: '',
    teamEmoji: '',
    activityType: '',
    durationMinutes: Number.NaN,
    distanceMiles: '--',
    photoPrompt: null,
    photoUrl: null,
    photo: null,
    location: null,
    createdAt: '',
    timeAgo: '',
    reactions: nothing,
    heartRate: null,
    calories: null,
    bonusChallengeId: null,
    isBonusChallenge: false,
    checkpoint: null,
    myReactions: [],
  });
  return { ...activity, reactions: complete(activity.reactions, nothing) };
}

async function readActivities(scope: ActivityScope, cursor: string | null, signal: AbortSignal): Promise<ActivityPage> {
  const { data, response } = await client.get<{ 200: Partial<ActivityFeed> }, unknown, true>({
    url: `/api/activity-feed/${scope}`,
    ...(cursor && { query: { cursor } }),
    responseStyle: 'fields',
    throwOnError: true,
    signal,
  });
  const { activities = [], hasMore = false } = data;
  return { activities: activities.map(activityOf), hasMore, next: nextCursor(response.headers.get('link')) };
}

/** The activities of one scope, page by page; the next is where the answer's Link header points (2.99, 7.29). */
export const activityFeedQuery = (scope: ActivityScope) =>
  infiniteQueryOptions({
    queryKey: ['/api/activity-feed', scope] as const,
    queryFn: ({ client: queryClient, pageParam, signal }) =>
      withOwnPresses(queryClient, nullWhenSignedOut(readActivities(scope, pageParam, signal))),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page?.hasMore ? (page.next ?? '') : undefined),
  });

async function readEntry(id: string, signal: AbortSignal): Promise<FeedPage> {
  const entry = await readFeedEntry({ path: { id }, signal });
  return entry.kind === 'movement' ? { rows: [postOf(entry.post)] } : { activities: [activityOf(entry.activity)] };
}

/** One entry alone: a list of one, so that reactions and comments change in it as in every feed. */
export const entryQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/feed/entries', id] as const,
    queryFn: ({ client: queryClient, signal }) => withOwnPresses(queryClient, nullWhenSignedOut(readEntry(id, signal))),
    initialPageParam: null,
    getNextPageParam: () => undefined,
  });

type Press = OwnReaction;

const reacting = ['/api/feed/react'] as const;

/** Gives or takes back a reaction: shown at once in all pages of all feeds, and undone where the server refuses (4.36). */
export function useReact(logId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: reacting,
    // One after the other: the server toggles.
    scope: { id: `react ${logId}` },
    mutationFn: async ({ emoji, isAdded }: Press): Promise<ReactToPostResponse> => {
      const send = () => sendOnce(`react ${logId} ${emoji}`, { body: { movementLogId: logId, emoji } }, reactToPost);
      const first = await send();
      // An earlier press, whose answer had been lost, was the opposite one.
      return first.isRepeated && (first.answer.action === 'added') !== isAdded ? (await send()).answer : first.answer;
    },
    onMutate: (press) => changeFeeds(queryClient, changesBy(press)),
    onError: (_error, press) => changeFeeds(queryClient, changesBy({ ...press, isAdded: !press.isAdded })),
    // One had reacted on another device: what is right only the server knows. The press is over before that is answered.
    onSuccess: ({ action }, { isAdded }) => {
      if ((action === 'added') !== isAdded) void refresh(queryClient, keysOf.reactions);
    },
  });
}

type Reacting = Mutation<ReactToPostResponse, Error, Press>;

/** A page of a feed that may have been read before the server had what one has pressed since: that stays as it is shown. */
async function withOwnPresses<Page extends FeedPage | null>(queryClient: QueryClient, answer: Promise<Page>) {
  const presses = (filters: Pick<MutationFilters, 'status'> = {}) =>
    queryClient.getMutationCache().findAll({ mutationKey: reacting, ...filters }) as unknown as Reacting[];
  const underWay = new Set(presses({ status: 'pending' }));
  const askedAt = Date.now();
  const page = await answer;
  const isUnknown = (press: Reacting) => underWay.has(press) || press.state.submittedAt >= askedAt;
  return presses()
    .filter((press) => isUnknown(press) && holds(press))
    .reduce(
      (shown, { state }) => (shown && state.variables ? pageWith(shown, changesBy(state.variables)) : shown),
      page,
    );
}

/** Neither refused nor, because of another device, the other way round. */
const holds = ({ state: { status, data, variables } }: Reacting): boolean =>
  status === 'pending' || (status === 'success' && (data?.action === 'added') === variables?.isAdded);

/** Who reacted to a post; asked for each time it is shown. */
export const reactionsQuery = (logId: string) => ({
  ...pagedQuery<Reaction>(['/api/feed', logId, 'reactions'], 50),
  staleTime: 0,
});
