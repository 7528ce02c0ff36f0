import type { Branding } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { type ComponentProps, lazy } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Wordmark } from '../../ui/narrow-card.tsx';
import { OnDemand } from '../../ui/on-demand.tsx';
import { Hidden } from '../../ui/text.tsx';
import { destinations, isAt } from './bottom-bar.tsx';
import styles from './header.module.css';

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

const fetchPanel = () => import('./notifications.tsx');
const Notifications = lazy(async () => ({ default: (await fetchPanel()).Notifications }));

/** The bell hangs before its panel is fetched. */
function Bell() {
  const { t } = useLingui();
  const bell = (approach: ComponentProps<'button'>) => (
    <button type="button" className={styles.bell} aria-label={t`Notifications`} {...approach}>
      <BellIcon size={22} aria-hidden="true" />
      <span className={styles.dot} aria-hidden="true" />
    </button>
  );
  return (
    <OnDemand
      fetch={fetchPanel}
      button={(approach) =>
        bell({ title: t`Notifications`, 'aria-haspopup': 'dialog', 'aria-expanded': false, ...approach })
      }
    >
      <Notifications bell={bell({})} isOpenAtFirst />
    </OnDemand>
  );
}
