import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endOwnSession, listOwnSessions } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const ownSessionsQuery = dataQuery(['/api/me/sessions'], listOwnSessions);

/** Signs out sessions of one's own; their tokens are refused from now on. Whatever fails, the list is read anew. */
export function useEndSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map((id) => endOwnSession({ path: { id } }))),
    onSettled: () => queryClient.invalidateQueries(ownSessionsQuery),
  });
}
