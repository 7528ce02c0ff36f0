import { useLingui } from '@lingui/react/macro';
import type { Branding } from '@caravan/contracts/http/accounts';
import { Link, useLocation } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Wordmark } from '../../ui/mark.tsx';
import { Popover } from '../../ui/popover.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
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
        <Notifications />
        <Tooltip text={t`My profile`}>
          <Link to="/profile" className={styles.me}>
            <Avatar name={user.name} photoUrl={user.photoUrl} />
            <Hidden>{t`My profile`}</Hidden>
          </Link>
        </Tooltip>
      </div>
    </header>
  );
}

function Notifications() {
  const { t } = useLingui();
  return (
    <Popover
      label={t`Notifications`}
      trigger={
        <button type="button" className={styles.bell} aria-label={t`Notifications`}>
          <Bell size={22} aria-hidden="true" />
          <span className={styles.dot} aria-hidden="true" />
        </button>
      }
    >
      <EmptyState
        title={t`Nothing new`}
        hint={t`When something happens to your miles or your team, you read it here.`}
      />
    </Popover>
  );
}
