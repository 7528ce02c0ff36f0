import type { SessionUser } from '@caravan/contracts/http/accounts';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import clsx from 'clsx';
import { Activity, Compass, House, type LucideIcon, Trophy, UserRound } from 'lucide-react';

import { lazyPart } from '../../lib/lazy-part.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import styles from './bottom-bar.module.css';
import { hasTimerButton, isAt, type Place } from './places.ts';

/** The navigation of phones, in reach of the thumb. */
export function BottomBar({ role }: { role: SessionUser['role'] }) {
  const { t, i18n } = useLingui();
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={t`Main`} className={clsx(styles.bar, hasTimerButton(path) && styles.beside)}>
      {destinations.map(({ to, short, icon: Icon }) => {
        const current = isAt(path, to) ? ('page' as const) : undefined;
        const content = (
          <>
            <Icon size={23} aria-hidden="true" />
            <span className={styles.word}>{i18n._(short)}</span>
          </>
        );
        return to === '/profile' ? (
          <OnDemand
            key={to}
            fetch={fetchMenu}
            button={(approach) => (
              <button
                type="button"
                className={styles.item}
                aria-current={current}
                aria-haspopup="menu"
                aria-expanded={false}
                {...approach}
              >
                {content}
              </button>
            )}
          >
            <ProfileMenu role={role} isOpenAtFirst>
              <button type="button" className={styles.item} aria-current={current}>
                {content}
              </button>
            </ProfileMenu>
          </OnDemand>
        ) : (
          <Link key={to} to={to} className={styles.item} aria-current={current}>
            {content}
          </Link>
        );
      })}
    </nav>
  );
}

const fetchMenu = () => import('./profile-menu.tsx');
const ProfileMenu = lazyPart(async () => (await fetchMenu()).ProfileMenu);

type Destination = {
  to: Place;
  /** In the bottom bar. */
  short: MessageDescriptor;
  /** In the header. */
  long: MessageDescriptor;
  icon: LucideIcon;
};

/** The places of the navigation, in both its forms (2.22, 2.25). */
export const destinations: readonly Destination[] = [
  { to: '/dashboard', short: msg`Dashboard`, long: msg`Home`, icon: House },
  { to: '/feed', short: msg`Activity`, long: msg`Feed`, icon: Activity },
  { to: '/leaderboard', short: msg`Scoreboard`, long: msg`Scoreboard`, icon: Trophy },
  { to: '/explore', short: msg`Explore`, long: msg`Explore`, icon: Compass },
  { to: '/profile', short: msg`Profile`, long: msg`Profile`, icon: UserRound },
];
