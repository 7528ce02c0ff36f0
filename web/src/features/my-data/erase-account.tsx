import { Trans, useLingui } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { endSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useErase } from './api.ts';
import styles from './my-data.module.css';

/** Says exactly what goes and what stays, and asks for the password again. */
export function EraseAccount() {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.act}>
      <Dialog
        title={t`Erase your account?`}
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button variant="quiet" className={styles.erase}>
            <Trash2 size={20} aria-hidden="true" />
            {t`Erase account`}
          </Button>
        }
      >
        <Consequences />
        <Confirmation onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function Consequences() {
  const goes = useId();
  const stays = useId();
  return (
    <div className={styles.consequences}>
      <h3 id={goes}>
        <Trans>What goes, at once and for good</Trans>
      </h3>
      <ul aria-labelledby={goes}>
        <li>
          <Trans>your name, e-mail, phone, bio and photos</Trans>
        </li>
        <li>
          <Trans>your posts, your reactions and whom you follow</Trans>
        </li>
        <li>
          <Trans>your sign-in, on every device</Trans>
        </li>
      </ul>
      <h3 id={stays}>
        <Trans>What stays</Trans>
      </h3>
      <ul aria-labelledby={stays}>
        <li>
          <Trans>your miles in your team's total, earned by ‘A former member’</Trans>
        </li>
      </ul>
    </div>
  );
}

function Confirmation({ onCancel }: { onCancel: () => void }) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useErase();
  const erase = () =>
    mutate(password, {
      onSuccess: () => {
        endSession();
        toast({ title: t`Farewell`, description: t`Your account is erased. Thank you for every mile.` });
      },
    });
  return (
    <form
      className={styles.confirmation}
      onSubmit={(event) => {
        event.preventDefault();
        erase();
      }}
    >
      <PasswordField
        label={t`Your password`}
        autoComplete="current-password"
        value={password}
        error={error && serverMessage(error, t`Your account could not be erased. Please try again.`)}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div className={styles.actions}>
        <Button variant="quiet" onClick={onCancel}>{t`Cancel`}</Button>
        <Button
          type="submit"
          variant="danger"
          isBusy={isPending}
          disabled={password === ''}
        >{t`Erase for good`}</Button>
      </div>
    </form>
  );
}
