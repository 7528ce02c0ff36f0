import { useLingui } from '@lingui/react/macro';
import { KeyRound } from 'lucide-react';
import { serverMessage } from '../../lib/http-error.ts';
import { useSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useForgotPassword } from './api.ts';
import styles from './recovery.module.css';

/** In the settings: mails the link that sets a new password, so that an open page alone changes none. */
export function ChangePassword() {
  const { t } = useLingui();
  const ask = useForgotPassword();
  const email = useSession().user?.email ?? '';
  const mail = () =>
    ask.mutate(
      { email },
      {
        onSuccess: () =>
          toast({ title: t`Check your email!`, description: t`We mailed a link to ${email}.`, tone: 'good' }),
        onError: (error) =>
          toast({ title: t`Error`, description: serverMessage(error, t`Failed to send reset email`), tone: 'error' }),
      },
    );
  return (
    <Card title={t`Password`}>
      <p className={styles.hint}>{t`We mail you a link to choose a new one. It then signs you out everywhere.`}</p>
      <Button variant="quiet" isBusy={ask.isPending} disabled={email === ''} onClick={mail}>
        <KeyRound size={20} aria-hidden="true" />
        {t`Change password`}
      </Button>
    </Card>
  );
}
