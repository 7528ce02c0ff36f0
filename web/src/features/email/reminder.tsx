import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { MailCheck, X } from 'lucide-react';
import { useState } from 'react';
import { meQuery } from '../../lib/me.ts';
import { useSession } from '../../lib/session-state.ts';
import styles from './email.module.css';
import { SendAgain } from './send-again.tsx';

/** Reminds whoever has not confirmed their address, until they do or put it off for this visit (D54). */
export function EmailReminder() {
  const { t } = useLingui();
  const session = useSession();
  const path = useLocation({ select: (location) => location.pathname });
  const { data: me } = useQuery(meQuery);
  const [isPutOff, setPutOff] = useState(false);
  const isOnboarding = session.status === 'signed-in' && session.isOnboarding;
  if (!me || me.isEmailConfirmed || me.isGuest || isPutOff || isOnboarding || path === '/settings') return null;
  return (
    <section aria-label={t`Confirm your email`} className={styles.reminder}>
      <MailCheck size={20} aria-hidden="true" />
      <p>
        <Trans>
          Please open the link that was mailed to{' '}
          <strong className={styles.address}>{me.pendingEmail ?? me.email}</strong>. Until then no other mail reaches
          you.
        </Trans>
      </p>
      <SendAgain />
      <button type="button" className={styles.putOff} aria-label={t`Remind me later`} onClick={() => setPutOff(true)}>
        <X size={20} aria-hidden="true" />
      </button>
    </section>
  );
}
