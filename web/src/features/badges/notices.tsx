import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useMoment } from '../../lib/moment.ts';
import { useSession } from '../../lib/session-state.ts';
import { noteTold, toldBadges } from '../../lib/told-badges.ts';
import { toast } from '../../ui/toast-state.ts';
import { earnedBadgesQuery } from './api.ts';
import { keyOfEarned, untold } from './badges.ts';

// Beside every screen, and seldom needed.
const Emblem = lazyPart(async () => (await import('./emblem.tsx')).Emblem);
const signSize = 40;
const delayMilliseconds = 1000;

/** Tells of every badge of the last hour, once in this browser's session: after a start, and when one is earned (4). */
export function BadgeNotices() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const isSignedIn = useSession().status === 'signed-in';
  const { data: badges } = useQuery({ ...earnedBadgesQuery, enabled: isSignedIn });
  // The moment after a log shows the badges of that log itself.
  const isCelebrating = useMoment() !== null;
  useEffect(() => {
    if (isCelebrating) return undefined;
    const timer = setTimeout(() => {
      for (const badge of untold(badges ?? [], toldBadges(), Date.now())) {
        const { badgeName } = badge;
        noteTold(keyOfEarned(badge));
        toast({
          title: t`You earned the ${badgeName} badge!`,
          picture: (
            <Suspense fallback={<span style={{ width: signSize }} />}>
              <Emblem badge={badge} state="new" size={signSize} />
            </Suspense>
          ),
          tone: 'good',
          action: { label: t`See it`, onPress: () => void navigate({ to: '/badges' }) },
          isPatient: true,
        });
      }
    }, delayMilliseconds);
    return () => clearTimeout(timer);
  }, [badges, isCelebrating, navigate, t]);
  return null;
}
