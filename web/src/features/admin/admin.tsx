import { useLingui } from '@lingui/react/macro';
import { Link, Navigate } from '@tanstack/react-router';
import { ArrowLeft, ChartColumn, SlidersHorizontal, type LucideIcon } from 'lucide-react';
import { useSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './admin.module.css';

/** The admins' start; members are led home (D3). */
export function Admin() {
  const { t } = useLingui();
  const { user } = useSession();
  if (user?.role !== 'admin') return <Navigate to="/" replace />;
  return (
    <Page
      title={t`Admin Dashboard`}
      aside={
        <Button asChild variant="quiet" size="small">
          <Link to="/dashboard">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back`}
          </Link>
        </Button>
      }
    >
      <ul className={styles.cards}>
        <Way to="/leaderboard" icon={ChartColumn} title={t`Analytics`} text={t`Miles of members and teams`} />
        <Way to="/settings" icon={SlidersHorizontal} title={t`System Settings`} text={t`Appearance and session`} />
      </ul>
    </Page>
  );
}

function Way({
  to,
  icon: Icon,
  title,
  text,
}: {
  to: '/leaderboard' | '/settings';
  icon: LucideIcon;
  title: string;
  text: string;
}) {
  return (
    <li>
      <Link to={to} className={styles.card}>
        <Icon size={26} aria-hidden="true" />
        <span>
          <b>{title}</b>
          {text}
        </span>
      </Link>
    </li>
  );
}
