import type { BonusChallenge, ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../lib/api/generated/client.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

const bonusRefetchMilliseconds = 60_000;
const weeklyPath = '/api/weekly-challenges';

const read =
  <Answer>(url: string) =>
  ({ signal }: { signal: AbortSignal }) =>
    client.get<{ 200: Answer }, unknown, true, 'data'>({ url, responseStyle: 'data', throwOnError: true, signal });

/** The open bonus challenge, or null; asked again every minute (9.7). */
export const bonusChallengeQuery = queryOptions({
  ...dataQuery(['/api/bonus-challenge'], read<BonusChallenge | null>('/api/bonus-challenge')),
  refetchInterval: bonusRefetchMilliseconds,
});

export const weeklyChallengesQuery = dataQuery([weeklyPath], read<WeeklyChallenge[]>(weeklyPath));

export const challengeProgressQuery = (id: string) =>
  dataQuery([weeklyPath, id, 'progress'], read<ChallengeProgress>(`${weeklyPath}/${encodeURIComponent(id)}/progress`));

/** What bonus miles change on other screens of this page; the live stream says the same, but later. */
const changed = [weeklyPath, '/api/teams', '/api/me', '/api/dashboard/stats', '/api/leaderboard', '/api/miles'];

/** Claims the bonus miles of a challenge that is reached; false: it is not reached (any more). */
export function useClaim(id: string) {
  const queryClient = useQueryClient();
  const { queryKey } = challengeProgressQuery(id);
  return useMutation({
    mutationFn: () =>
      client.post<{ 200: { completed: boolean } }, unknown, true, 'data'>({
        url: `${weeklyPath}/${encodeURIComponent(id)}/complete`,
        responseStyle: 'data',
        throwOnError: true,
      }),
    onSuccess: ({ completed }) => {
      if (!completed) return queryClient.invalidateQueries({ queryKey });
      queryClient.setQueryData(queryKey, (before) => before && { ...before, bonusAwarded: true });
      return Promise.all(changed.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
    },
  });
}
