import type { Invite } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { serverMessage } from '../../lib/http-error.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useRevokeInvite } from './api.ts';

export function RevokeDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { t } = useLingui();
  const revoke = useRevokeInvite();
  const confirm = () =>
    revoke.mutate(invite.id, {
      onSuccess: () => toast({ title: t`${invite.code} is revoked`, tone: 'good' }),
      onError: (error) =>
        toast({
          title: t`${invite.code} was not revoked`,
          description: serverMessage(error, t`Please try again later.`),
          tone: 'error',
        }),
      onSettled: onClose,
    });
  return (
    <Confirm
      title={t`Revoke ${invite.code}?`}
      description={t`The link and the code stop working at once and for good. Who joined with them stays.`}
      action={t`Revoke`}
      isBusy={revoke.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
