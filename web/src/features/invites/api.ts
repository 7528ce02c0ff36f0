import type { Invite } from '@caravan/contracts/http/organisations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createInvite, listTeams, revokeInvite } from '../../lib/api/generated/sdk.gen.ts';
import type { CreateInviteData } from '../../lib/api/generated/types.gen.ts';
import { sendOnce } from '../../lib/keyed-requests.ts';
import type { Page } from '../../lib/pages.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const invitesPath = '/api/invites';
export const teamsQuery = dataQuery(['/api/teams'], listTeams);

/** Makes an invite; the one that is answered may be that of an earlier attempt, whose answer had been lost. */
export function useCreateInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateInviteData['body']) => sendOnce('create-invite', { body }, createInvite),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [invitesPath] }),
  });
}

export function useRevokeInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => revokeInvite({ path: { id } }),
    onSuccess: (revoked) =>
      queryClient.setQueriesData<Page<Invite> | null>({ queryKey: [invitesPath] }, (page) =>
        page ? { ...page, rows: page.rows.map((row) => (row.id === revoked.id ? revoked : row)) } : page,
      ),
  });
}
