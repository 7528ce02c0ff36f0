import type { ManagedMember } from '@caravan/contracts/http/organisations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeMember, listTeams } from '../../lib/api/generated/sdk.gen.ts';
import type { ChangeMemberData } from '../../lib/api/generated/types.gen.ts';
import { serverMessage } from '../../lib/http-error.ts';
import type { Page } from '../../lib/pages.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const membersPath = '/api/members';
export const teamsQuery = dataQuery(['/api/teams'], listTeams);

type Change = ChangeMemberData['body'];

/** Puts what the server answered into the page that is shown; teams have other numbers now. */
function useShowMembers() {
  const queryClient = useQueryClient();
  return (changed: readonly ManagedMember[]) => {
    const byId = new Map(changed.map((member) => [member.id, member]));
    queryClient.setQueriesData<Page<ManagedMember> | null>({ queryKey: [membersPath] }, (page) =>
      page ? { ...page, rows: page.rows.map((row) => byId.get(row.id) ?? row) } : page,
    );
    void queryClient.invalidateQueries({ queryKey: teamsQuery.queryKey });
  };
}

export function useChangeMember() {
  const show = useShowMembers();
  return useMutation({
    mutationFn: ({ id, ...body }: Change & { id: string }) => changeMember({ path: { id }, body }),
    onSuccess: (member) => show([member]),
  });
}

/** How many moved, and why the others did not. */
export type Moves = { moved: number; refusals: readonly string[] };

const movesAtOnce = 4;

/** Moves one after the other in a few lanes; each is refused or done on its own. */
export function useMoveMembers() {
  const show = useShowMembers();
  return useMutation({
    mutationFn: async ({ ids, teamId }: { ids: readonly string[]; teamId: string }): Promise<Moves> => {
      const waiting = [...ids];
      const moved: ManagedMember[] = [];
      const refusals: string[] = [];
      const lane = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          try {
            moved.push(await changeMember({ path: { id }, body: { teamId } }));
          } catch (error) {
            refusals.push(serverMessage(error, ''));
          }
        }
      };
      await Promise.all(Array.from({ length: movesAtOnce }, lane));
      show(moved);
      return { moved: moved.length, refusals };
    },
  });
}
