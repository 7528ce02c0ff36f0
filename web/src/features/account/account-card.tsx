import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FirstSteps } from '../../ui/trail.tsx';
import styles from './account.module.css';

/** The narrow card of the screens before one is signed in. */
export function AccountCard({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.account}>
      <title>{`${title} · Caravan`}</title>
      <div className={styles.card}>
        <FirstSteps />
        <h1 tabIndex={-1}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      <p className={styles.legal}>
        <Trans>
          By continuing you agree to the <Link to="/terms">Terms of Service</Link> and the{' '}
          <Link to="/privacy">Privacy Policy</Link>.
        </Trans>
      </p>
    </div>
  );
}
