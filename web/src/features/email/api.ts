import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { confirmEmail, resendConfirmation, undoEmail, withdrawPendingEmail } from '../../lib/api/generated/sdk.gen.ts';
import { renewSession } from '../../lib/http.ts';
import { meQuery } from '../../lib/me.ts';
import { endSession, renameUser } from '../../lib/session-state.ts';

/** Opens a mailed link. Whoever is signed in here goes on with what the address has changed. */
export function useConfirmEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => confirmEmail({ body: { token } }),
    onSuccess: () => readAgain(queryClient),
  });
}

/** A guest's token opens next to nothing: once they are let in, they need a member's. */
export async function readAgain(queryClient: QueryClient): Promise<void> {
  if (!(await renewSession())) return;
  await queryClient.invalidateQueries();
  const me = queryClient.getQueryData(meQuery.queryKey);
  if (me) renameUser(me.name, me.email);
}

export const useUndoEmail = () =>
  useMutation({
    mutationFn: (token: string) => undoEmail({ body: { token } }),
    // Every session of the account has ended at the server.
    onSuccess: endSession,
  });

export const useResendConfirmation = () => useMutation({ mutationFn: () => resendConfirmation({ body: {} }) });

export function useWithdrawPendingEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => withdrawPendingEmail(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
