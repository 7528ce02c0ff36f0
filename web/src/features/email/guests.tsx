import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { meQuery } from '../../lib/me.ts';
import { logOut } from '../../lib/session.ts';
import { useSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { readAgain } from './api.ts';
import styles from './email.module.css';
import { SendAgain } from './send-again.tsx';

/** Where guests may be: their account is theirs already. */
const openToGuests = '/settings';

function useIsGuest(): boolean {
  const session = useSession();
  const { data } = useQuery({ ...meQuery, enabled: session.status === 'signed-in' });
  const isOnboarding = session.status === 'signed-in' && session.isOnboarding;
  return data?.isGuest === true && !isOnboarding;
}

/** What shows the organisation waits until a guest has confirmed the address (D54). */
export function MembersOnly({ instead, children }: { instead?: ReactNode; children: ReactNode }) {
  const isGuest = useIsGuest();
  const path = useLocation({ select: (location) => location.pathname });
  if (!isGuest) return children;
  if (instead !== undefined) return instead;
  return path === openToGuests ? children : <Waiting />;
}

/** A guest who is let in while the page is open gets a member's token, and everything is read again. */
export function LetIn() {
  const isGuest = useIsGuest();
  const wasGuest = useRef(isGuest);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (wasGuest.current && !isGuest) void readAgain(queryClient);
    wasGuest.current = isGuest;
  }, [isGuest, queryClient]);
  return null;
}

function Waiting() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const address = me?.pendingEmail ?? me?.email ?? '';
  return (
    <NarrowCard
      title={t`Confirm your email to come in`}
      lead={
        <Trans>
          Your invite is for addresses of this organisation. Open the link that was mailed to{' '}
          <strong className={styles.address}>{address}</strong>, and your team is waiting.
        </Trans>
      }
    >
      <div className={styles.stack}>
        <Button isWide onClick={() => void readAgain(queryClient)}>{t`I have opened it`}</Button>
        <SendAgain isWide />
        <Link to="/settings" className={styles.link}>{t`Use another address`}</Link>
        <button type="button" className={styles.link} onClick={() => void logOut()}>
          {t`Logout`}
        </button>
      </div>
    </NarrowCard>
  );
}
