import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeTeam, formTeam, listTeams } from '../../lib/api/generated/sdk.gen.ts';
import type { ChangeTeamData, FormTeamData } from '../../lib/api/generated/types.gen.ts';
import { sendOnce } from '../../lib/keyed-requests.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const teamsQuery = dataQuery(['/api/teams'], listTeams);

/** Puts the server's answer into the list that is shown. */
function useShowTeam() {
  const queryClient = useQueryClient();
  return (team: ManagedTeam) =>
    queryClient.setQueryData(teamsQuery.queryKey, (teams) => {
      const isThere = teams?.some(({ id }) => id === team.id);
      return isThere ? teams?.map((other) => (other.id === team.id ? team : other)) : teams && [...teams, team];
    });
}

/** Forms a team; the one that is answered may be that of an earlier attempt, whose answer had been lost. */
export function useFormTeam() {
  const show = useShowTeam();
  return useMutation({
    mutationFn: (body: FormTeamData['body']) => sendOnce('form-team', { body }, formTeam),
    onSuccess: ({ answer }) => show(answer),
  });
}

export function useChangeTeam() {
  const show = useShowTeam();
  return useMutation({
    mutationFn: ({ id, ...body }: ChangeTeamData['body'] & { id: string }) => changeTeam({ path: { id }, body }),
    onSuccess: show,
  });
}
