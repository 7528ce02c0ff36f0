import { useLingui } from '@lingui/react/macro';
import type { Branding } from '@caravan/contracts/http/accounts';
import { Link, useLocation } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Wordmark } from '../../ui/mark.tsx';
import styles from './header.module.css';
import { destinations, isAt } from './navigation.ts';

/** The navigation of wide screens. */
export function Header({ user, branding }: { user: { name: string; photoUrl: string | null }; branding: Branding }) {
  const { t, i18n } = useLingui();
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <header className={styles.header}>
      <Link to="/dashboard" className={styles.logo}>
        {branding.logoUrl ? <img src={branding.logoUrl} alt={branding.name} height={32} /> : <Wordmark />}
      </Link>
      <nav aria-label={t`Main`} className={styles.links}>
        {destinations.map(({ to, long }) => (
          <Link key={to} to={to} className={styles.link} aria-current={isAt(path, to) ? 'page' : undefined}>
            {i18n._(long)}
          </Link>
        ))}
      </nav>
      <div className={styles.end}>
        <Bell />
        <Link to="/profile" className={styles.me} title={user.name}>
          <Avatar name={user.name} photoUrl={user.photoUrl} />
          <Hidden>{t`My profile`}</Hidden>
        </Link>
      </div>
    </header>
  );
}

const Notifications = lazy(async () => ({ default: (await import('./notifications.tsx')).Notifications }));

/** The bell hangs before its panel is fetched; a press that came earlier opens it then. */
function Bell() {
  const { t } = useLingui();
  const [isAskedFor, setIsAskedFor] = useState(false);
  const bell = (onClick?: () => void) => (
    <button type="button" className={styles.bell} aria-label={t`Notifications`} onClick={onClick}>
      <BellIcon size={22} aria-hidden="true" />
      <span className={styles.dot} aria-hidden="true" />
    </button>
  );
  return (
    <Suspense fallback={bell(() => setIsAskedFor(true))}>
      <Notifications bell={bell()} isOpenAtFirst={isAskedFor} />
    </Suspense>
  );
}
