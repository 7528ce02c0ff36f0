import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './narrow-card.module.css';
import { FirstSteps } from './trail.tsx';

/** The narrow card of the screens before one is signed in. */
export function NarrowCard({
  title,
  lead,
  hasTerms = false,
  children,
}: {
  title: string;
  lead: ReactNode;
  /** Where an account is used or made, the terms stand below. */
  hasTerms?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={styles.account}>
      <title>{`${title} · Caravan`}</title>
      <div className={styles.card}>
        <FirstSteps />
        <h1 tabIndex={-1}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      {hasTerms && (
        <p className={styles.legal}>
          <Trans>
            By continuing you agree to the <Link to="/terms">Terms of Service</Link> and the{' '}
            <Link to="/privacy">Privacy Policy</Link>.
          </Trans>
        </p>
      )}
    </div>
  );
}
