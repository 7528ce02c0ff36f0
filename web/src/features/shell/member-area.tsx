import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { followChanges } from '../../lib/live.ts';
import { useIsBrandingKnown } from '../../lib/branding.ts';
import { useAccountPreferences } from '../../lib/preferences.ts';
import { useSession } from '../../lib/session-state.ts';
import { verifySession } from '../../lib/session.ts';
import { Card } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './shell.module.css';
import { Shell } from './shell.tsx';

/** A loading state until the session is verified; signed out, the login screen (4.5, 2.20). */
export function MemberArea({
  bell,
  alongside,
  children,
}: {
  /** What the reader is told of. */
  bell: ReactNode;
  /** Runs beside every screen. */
  alongside: ReactNode;
  /** The screen. */
  children: ReactNode;
}) {
  const session = useSession();
  const queryClient = useQueryClient();
  const isSignedIn = session.status === 'signed-in';
  const isOpen = session.status === 'checking';
  // A welcome of three lines in place of one would push down what is being read.
  const isReady = useIsBrandingKnown() && isSignedIn;
  useEffect(() => {
    // Left open by a screen that needs no session; on a start the check is under way.
    if (isOpen) void verifySession(queryClient);
  }, [isOpen, queryClient]);
  useAccountPreferences();
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const stop = new AbortController();
    followChanges(queryClient, stop.signal);
    return () => stop.abort();
  }, [isSignedIn, queryClient]);

  if (session.status === 'signed-out') return <SignedOut wasRefused={session.wasRefused} />;
  return (
    <Shell user={session.user} bell={bell} isBare={isSignedIn && session.isOnboarding}>
      {isReady ? children : <PageSkeleton />}
      {isReady && alongside}
    </Shell>
  );
}

/** To the login; a session that the server ended is not lost without a word. */
function SignedOut({ wasRefused }: { wasRefused: boolean }) {
  const { t } = useLingui();
  useEffect(() => {
    if (!wasRefused) return;
    toast({
      title: t`Please sign in again`,
      description: t`Your session has ended. That happens after a long time, and when your role or password changes.`,
    });
  }, [wasRefused, t]);
  return <Navigate to="/login" replace />;
}

/** A screen whose content is not known yet. */
const PageSkeleton = () => (
  <Loading
    isLoading
    skeleton={
      <div className={styles.page}>
        <Skeleton width={220} height={36} />
        <Card className={styles.card}>
          <Skeleton width={160} height={20} />
          <Skeleton width={200} height={48} />
          <Skeleton height={64} />
        </Card>
      </div>
    }
  >
    {() => null}
  </Loading>
);
