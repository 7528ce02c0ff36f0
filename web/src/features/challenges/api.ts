import { useMutation, useQueryClient } from '@tanstack/react-query';
import { completeChallenge, listWeeklyChallenges, readChallengeProgress } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { refresh, type ReadPath } from '../../lib/query-keys.ts';

const weeklyPath = '/api/weekly-challenges';

export const weeklyChallengesQuery = dataQuery([weeklyPath], listWeeklyChallenges);

export const challengeProgressQuery = (id: string) =>
  dataQuery([weeklyPath, id, 'progress'], ({ signal }) => readChallengeProgress({ path: { id }, signal }));

/** What bonus miles change on other screens of this page; the live stream says the same, but later. */
const changed: readonly ReadPath[] = [
  weeklyPath,
  '/api/teams',
  '/api/me',
  '/api/dashboard/stats',
  '/api/leaderboard',
  '/api/miles',
  '/api/miles/days',
];

/**
 * Claims the bonus miles of a challenge that is reached.
 * @param onAnswer hears at once whether they were awarded; false: it is not reached (any more)
 */
export function useClaim(id: string, onAnswer: (isCompleted: boolean) => void) {
  const queryClient = useQueryClient();
  const { queryKey } = challengeProgressQuery(id);
  return useMutation({
    mutationFn: () => completeChallenge({ path: { id } }),
    onSuccess: ({ completed }) => {
      // Here and not where the button is pressed: the button is gone as soon as the challenge is completed.
      onAnswer(completed);
      if (!completed) return queryClient.invalidateQueries({ queryKey });
      queryClient.setQueryData(queryKey, (before) => before && { ...before, bonusAwarded: true });
      return refresh(queryClient, changed);
    },
  });
}
