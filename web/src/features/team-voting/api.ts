import type { NameOptions } from '@caravan/contracts/http/ballots';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readNameOptions, voteForTeamName } from '../../lib/api/generated/sdk.gen.ts';
import { complete, numberOf } from '../../lib/complete.ts';
import { sendOnce } from '../../lib/keyed-requests.ts';
import { meQuery } from '../../lib/me.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The ballot, with what stands for the fields that section 3 does not name (D44). */
function nameOptionsOf(answer: Partial<NameOptions> | null): NameOptions {
  const ballot = complete<NameOptions>(answer ?? {}, {
    ballotId: '',
    state: 'open',
    nameOptions: [],
    hasVoted: false,
    chosenName: null,
    votingPeriod: { endsAt: '' },
    result: null,
  });
  return { ...ballot, nameOptions: ballot.nameOptions.map(({ name, votes }) => ({ name, votes: numberOf(votes) })) };
}

/** The ballot on a team's name; an error where there is none (7.33, D41). */
export const nameOptionsQuery = (teamId: string) =>
  dataQuery(['/api/teams', teamId, 'name-options'], async ({ signal }) =>
    nameOptionsOf(await readNameOptions({ path: { id: teamId }, signal })),
  );

/**
 * Votes in a ballot, once; the vote that is answered may be that of an earlier, lost attempt. Afterwards the options are
 * asked for again, now with their votes (4.34).
 */
export function useVote(teamId: string, ballotId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (chosenName: string) =>
      sendOnce(`vote ${teamId} ${ballotId}`, { body: { teamId, chosenName } }, voteForTeamName),
    onSuccess: () => {
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, hasVotedThisChallenge: true });
    },
    // Refused too: one may have voted elsewhere, or the ballot has ended.
    onSettled: () => queryClient.invalidateQueries({ queryKey: nameOptionsQuery(teamId).queryKey }),
  });
}
