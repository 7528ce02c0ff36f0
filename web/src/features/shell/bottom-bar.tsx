import type { SessionUser } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
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
          <ProfileButton key={to} role={role}>
            {(onClick) => (
              <button type="button" className={styles.item} aria-current={current} onClick={onClick}>
                {content}
              </button>
            )}
          </ProfileButton>
        ) : (
          <Link key={to} to={to} className={styles.item} aria-current={current}>
            {content}
          </Link>
        );
      })}
    </nav>
  );
}

const ProfileMenu = lazy(async () => ({ default: (await import('./profile-menu.tsx')).ProfileMenu }));

/** The button stands before its menu is fetched; a press that came earlier opens it then. */
function ProfileButton({
  role,
  children: button,
}: {
  role: SessionUser['role'];
  children: (onClick?: () => void) => ReactNode;
}) {
  const [isAskedFor, setIsAskedFor] = useState(false);
  return (
    <Suspense fallback={button(() => setIsAskedFor(true))}>
      <ProfileMenu role={role} isOpenAtFirst={isAskedFor}>
        {button()}
      </ProfileMenu>
    </Suspense>
  );
}
