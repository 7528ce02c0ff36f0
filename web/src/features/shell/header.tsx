import type { Branding } from '@caravan/contracts/http/accounts';
import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Wordmark } from '../../ui/narrow-card.tsx';
import { Hidden } from '../../ui/text.tsx';
import { destinations } from './bottom-bar.tsx';
import styles from './header.module.css';
import { isAt } from './places.ts';

/** The navigation of wide screens. */
export function Header({
  user,
  branding,
  bell,
}: {
  user: { name: string; photoUrl: string | null };
  branding: Branding;
  bell: ReactNode;
}) {
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
        {bell}
        <Link to="/profile" className={styles.me} title={user.name}>
          <Avatar name={user.name} photoUrl={user.photoUrl} />
          <Hidden>{t`My profile`}</Hidden>
        </Link>
      </div>
    </header>
  );
}
