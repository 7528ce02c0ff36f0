import { shownAddress } from '@caravan/contracts/domain/text/email-address';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { MailCheck, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { meQuery } from '../../lib/me.ts';
import { useSession } from '../../lib/session-state.ts';
import { logOut } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { toast } from '../../ui/toast-state.ts';
import { readAgain, useResendConfirmation } from './api.ts';
import styles from './email.module.css';

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
  const address = shownAddress(me?.pendingEmail ?? me?.email ?? '');
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
      <p className={styles.brief}>
        <b>{t`Confirm your email`}</b>
        <span>{me.pendingEmail ?? me.email}</span>
      </p>
      <p className={styles.whole}>
        <Trans>
          Please open the link that was mailed to{' '}
          <strong className={styles.address}>{shownAddress(me.pendingEmail ?? me.email)}</strong>. Until then no other
          mail reaches you.
        </Trans>
      </p>
      <SendAgain />
      <button type="button" className={styles.putOff} aria-label={t`Remind me later`} onClick={() => setPutOff(true)}>
        <X size={20} aria-hidden="true" />
      </button>
    </section>
  );
}

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
