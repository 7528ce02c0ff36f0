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

/** The product's sign: a way walked, the one who walks it, and what is still ahead. Decoration; the name stands beside. */
function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path d="M22.8 24.1A10.6 10.6 0 1 1 18.2 5.6" strokeWidth="4.4" />
      <circle cx="22.9" cy="8" r="3.1" strokeWidth="3" className={styles.walker} />
      <path d="M26.4 14.6v.01M26.2 19v.01" strokeWidth="3.6" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className={styles.wordmark}>
      <Mark />
      Caravan
    </span>
  );
}
