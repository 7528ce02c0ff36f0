import { useLingui } from '@lingui/react/macro';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useResendConfirmation } from './api.ts';

/** Asks for the link once more. */
export function SendAgain({ isWide = false }: { isWide?: boolean }) {
  const { t } = useLingui();
  const resend = useResendConfirmation();
  const send = () =>
    resend.mutate(undefined, {
      onSuccess: ({ message }) => toast({ title: t`Check your email!`, description: message, tone: 'good' }),
      onError: (error) =>
        toast({ title: t`Error`, description: serverMessage(error, t`The mail could not be sent.`), tone: 'error' }),
    });
  return (
    <Button variant="quiet" size={isWide ? 'normal' : 'small'} isWide={isWide} isBusy={resend.isPending} onClick={send}>
      {t`Send the link again`}
    </Button>
  );
}
