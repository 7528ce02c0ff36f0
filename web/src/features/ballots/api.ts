import type { Ballot } from '@caravan/contracts/http/ballots';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { closeBallot, editBallot, listTeams, openBallot, openBallots } from '../../lib/api/generated/sdk.gen.ts';
import type { EditBallotData, OpenBallotData } from '../../lib/api/generated/types.gen.ts';
import { sendOnce } from '../../lib/keyed-requests.ts';
import type { Page } from '../../lib/pages.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const ballotsPath = '/api/ballots';
export const teamsQuery = dataQuery(['/api/teams'], listTeams);

type Opening = NonNullable<OpenBallotData['body']> & {
  /** null: every team that has no open ballot. */
  teamId: string | null;
};

/** Opens a ballot for one team or for all; the ballots that are answered may be those of an earlier, lost attempt. */
export function useOpenBallots() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ teamId, ...body }: Opening): Promise<{ ballots: Ballot[]; isEarlier: boolean }> => {
      const { names: _, ...forAll } = body;
      const request = teamId === null ? { body: forAll } : { path: { id: teamId }, body };
      const { answer, isEarlier } = await sendOnce('open-ballots', request, async ({ path, ...rest }) =>
        path ? [await openBallot({ path, ...rest })] : openBallots(rest),
      );
      return { ballots: answer, isEarlier };
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [ballotsPath] }),
  });
}

/** Puts a changed ballot into the pages that are shown. */
function useShowBallot() {
  const queryClient = useQueryClient();
  return (changed: Ballot) =>
    queryClient.setQueriesData<Page<Ballot> | null>({ queryKey: [ballotsPath] }, (page) =>
      page ? { ...page, rows: page.rows.map((row) => (row.id === changed.id ? changed : row)) } : page,
    );
}

export function useEditBallot(id: string) {
  const show = useShowBallot();
  return useMutation({
    mutationFn: (body: NonNullable<EditBallotData['body']>) => editBallot({ path: { id }, body }),
    onSuccess: show,
  });
}

export function useCloseBallot(id: string) {
  const show = useShowBallot();
  return useMutation({ mutationFn: () => closeBallot({ path: { id } }), onSuccess: show });
}
