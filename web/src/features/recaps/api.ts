import type { Engagement, Recap } from '@caravan/contracts/http/recaps';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { engageWithRecap, listRecaps, readRecap, readRecapEffect } from '../../lib/api/generated/sdk.gen.ts';
import { sendAnew } from '../../lib/keyed-requests.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The story of the week that began on that Monday. */
export const recapQuery = (week: string) =>
  dataQuery(['/api/recaps', week], ({ signal }) => readRecap({ path: { id: week }, signal }) as Promise<Recap>);

/** The latest recap alone, for its card. */
export const newestRecapQuery = dataQuery(['/api/recaps', 'newest'], ({ signal }) =>
  listRecaps({ query: { limit: 1 }, signal }),
);

/** For admins. */
export const recapEffectQuery = (id: string) =>
  dataQuery(['/api/recaps', id, 'analytics'], ({ signal }) => readRecapEffect({ path: { id }, signal }));

export const pictureAddress = (id: string, isWithOwn: boolean): string =>
  `/api/recaps/${encodeURIComponent(id)}/picture${isWithOwn ? '?own=true' : ''}`;

/** What is absent stays, null takes it back. */
export type Said = Partial<Omit<Engagement, 'viewedAt'>>;
type Counts = Readonly<Record<string, number>>;

const countsAfter = (counts: Counts, from: string | null, to: string | null | undefined): Record<string, number> => {
  if (to === undefined || from === to) return { ...counts };
  const changed = { ...counts };
  if (from !== null) changed[from] = Math.max(0, (changed[from] ?? 0) - 1);
  if (to !== null) changed[to] = (changed[to] ?? 0) + 1;
  return changed;
};

/** The recap as it will be once the server has heard it. */
export function withEngagement(recap: Recap, said: Partial<Engagement>): Recap {
  const { engagement } = recap;
  return {
    ...recap,
    reactions: countsAfter(recap.reactions, engagement.reactionEmoji, said.reactionEmoji),
    vibes: countsAfter(recap.vibes, engagement.vibeEmoji, said.vibeEmoji),
    engagement: { ...engagement, ...said },
  };
}

const change = (queryClient: QueryClient, week: string, said: Partial<Engagement>) =>
  queryClient.setQueryData(recapQuery(week).queryKey, (recap) => recap && withEngagement(recap, said));

/** Shows at once what somebody says of a recap, and takes it back where it is refused. */
export function useEngage({ id, weekStartDate: week }: Pick<Recap, 'id' | 'weekStartDate'>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (said: Said): Promise<Partial<Engagement>> =>
      sendAnew({ path: { id }, body: said }, engageWithRecap) as Promise<Partial<Engagement>>,
    onMutate: ({ reactionEmoji, vibeEmoji }) => {
      const before = queryClient.getQueryData(recapQuery(week).queryKey)?.engagement;
      change(queryClient, week, {
        ...(reactionEmoji !== undefined && { reactionEmoji }),
        ...(vibeEmoji !== undefined && { vibeEmoji }),
      });
      return before;
    },
    // Only what this call was about: another one may be under way.
    onSuccess: (engagement, said) =>
      change(
        queryClient,
        week,
        Object.fromEntries(Object.entries(engagement).filter(([name]) => name === 'viewedAt' || name in said)),
      ),
    onError: (_error, _said, before) => before && change(queryClient, week, before),
  });
}
