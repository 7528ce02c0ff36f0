import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../lib/me.ts';
import { Button } from '../../ui/button.tsx';
import { useWithdrawPendingEmail } from './api.ts';
import styles from './email.module.css';
import { SendAgain } from './guests.tsx';

/** What an address still waits for, and what one can do about it. Nothing where it waits for nothing. */
export function PendingAddress() {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  const withdraw = useWithdrawPendingEmail();
  if (!me || (me.isEmailConfirmed && !me.pendingEmail)) return null;
  const email = shownAddress(me.email);
  const pendingEmail = me.pendingEmail && shownAddress(me.pendingEmail);
  return (
    <div role="status" className={styles.pending}>
      <p>
        {pendingEmail ? (
          <Trans>
            Open the link that was mailed to <strong className={styles.address}>{pendingEmail}</strong>. Until then{' '}
            <strong className={styles.address}>{email}</strong> stays your address.
          </Trans>
        ) : (
          <Trans>This address is not confirmed yet. Open the link that was mailed to it.</Trans>
        )}
      </p>
      <div className={styles.actions}>
        <SendAgain />
        {pendingEmail && (
          <Button variant="plain" size="small" isBusy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t`Keep my address`}
          </Button>
        )}
      </div>
    </div>
  );
}
