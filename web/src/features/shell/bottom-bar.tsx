import type { SessionUser } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy } from 'react';
import { OnDemand } from '../../ui/on-demand.tsx';
import styles from './bottom-bar.module.css';
import { destinations, isAt } from './navigation.ts';

/** The navigation of phones, in reach of the thumb. */
export function BottomBar({ role }: { role: SessionUser['role'] }) {
  const { t, i18n } = useLingui();
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={t`Main`} className={styles.bar}>
      {destinations.map(({ to, short, icon: Icon }) => {
        const current = isAt(path, to) ? ('page' as const) : undefined;
        const content = (
          <>
            <Icon size={23} aria-hidden="true" />
            {i18n._(short)}
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
const ProfileMenu = lazy(async () => ({ default: (await fetchMenu()).ProfileMenu }));
