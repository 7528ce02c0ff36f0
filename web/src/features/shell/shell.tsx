import { useLingui } from '@lingui/react/macro';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useBranding } from '../../lib/branding.ts';
import { useIsWide } from '../../lib/media.ts';
import type { Session } from '../../lib/session-state.ts';
import { HeadingCorner } from '../../ui/page.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Header } from './header.tsx';
import { hasTimerButton } from './places.ts';
import styles from './shell.module.css';
import { TimerButton } from './timer-button.tsx';

/** The frame of every signed-in screen: header or bottom bar, and the floating button; none of them when bare. */
export function Shell({
  user,
  bell,
  isBare = false,
  children,
}: {
  user: NonNullable<Session['user']>;
  /** In the header, on phones beside the heading of every screen. */
  bell: ReactNode;
  isBare?: boolean;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const isWide = useIsWide();
  const branding = useBranding();
  const path = useLocation({ select: (location) => location.pathname });
  useEffect(() => {
    if (isBare) return undefined;
    document.documentElement.dataset.shell = isWide ? 'header' : 'bar';
    return () => {
      delete document.documentElement.dataset.shell;
    };
  }, [isWide, isBare]);
  return (
    <>
      <a className={styles.skip} href="#content">
        {t`Skip to content`}
      </a>
      {isWide && !isBare && (
        <Header user={{ name: user.name, photoUrl: user.profilePhotoUrl }} branding={branding} bell={bell} />
      )}
      <main id="content" tabIndex={-1} className={styles.content}>
        <HeadingCorner value={isWide || isBare ? null : bell}>{children}</HeadingCorner>
      </main>
      {hasTimerButton(path) && !isBare && <TimerButton />}
      {!isWide && !isBare && <BottomBar role={user.role} />}
    </>
  );
}
