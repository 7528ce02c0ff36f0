import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';
import { earnedBadgesQuery } from './api.ts';
import { keyOfEarned, untold } from './badges.ts';

// Beside every screen, and seldom needed.
const Emblem = lazyPart(async () => (await import('./emblem.tsx')).Emblem);
const signSize = 40;
const delayMilliseconds = 1000;
const toldKey = 'badgesTold';

const told = (): Set<string> => new Set((sessionStorage.getItem(toldKey) ?? '').split('\n'));
const tell = (key: string): void => sessionStorage.setItem(toldKey, [...told(), key].join('\n'));

/** Tells of every badge of the last hour, once in this browser's session: after a start, and when one is earned (4). */
export function BadgeNotices() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const isSignedIn = useSession().status === 'signed-in';
  const { data: badges } = useQuery({ ...earnedBadgesQuery, enabled: isSignedIn });
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const badge of untold(badges ?? [], told(), Date.now())) {
        const { badgeName } = badge;
        tell(keyOfEarned(badge));
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
  }, [badges, navigate, t]);
  return null;
}
