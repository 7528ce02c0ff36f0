import type { Ballot } from '@caravan/contracts/http/ballots';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { closeBallot, editBallot, listTeams, openBallot, openBallots } from '../../lib/api/generated/sdk.gen.ts';
import type { EditBallotData, OpenBallotData } from '../../lib/api/generated/types.gen.ts';
import type { Page } from '../../lib/pages.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const ballotsPath = '/api/ballots';
export const teamsQuery = dataQuery(['/api/teams'], listTeams);

type Opening = NonNullable<OpenBallotData['body']> & {
  /** null: every team that has no open ballot. */
  teamId: string | null;
  idempotencyKey: string;
};

/** Opens a ballot for one team or for all. */
export function useOpenBallots() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ teamId, idempotencyKey, ...body }: Opening): Promise<Ballot[]> => {
      const headers = { 'Idempotency-Key': idempotencyKey };
      const { names: _, ...forAll } = body;
      if (teamId === null) return openBallots({ body: forAll, headers });
      return [await openBallot({ path: { id: teamId }, body, headers })];
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
