import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import styles from './narrow-card.module.css';

// The landscape is no reason to wait for the form.
const GateView = lazyPart(async () => (await import('./gate-view.tsx')).GateView);

/** The screens before one is signed in: the landscape with the product's promise, and beside or below it the form. */
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
    <div className={styles.gate} data-gate="">
      <title>{`${title} · Caravan`}</title>
      <div className={styles.view}>
        <p className={styles.claim}>
          <Trans>Ten minutes of anything is a mile.</Trans>
          <span>
            <Trans>A mile moves your team along a real road.</Trans>
          </span>
        </p>
        <Suspense>
          <GateView />
        </Suspense>
      </div>
      <div className={styles.door}>
        <div className={styles.inside}>
          <h1 tabIndex={-1}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
          {children}
          {hasTerms && (
            <p className={styles.legal}>
              <Trans>
                By continuing you agree to the <Link to="/terms">Terms of Service</Link> and the{' '}
                <Link to="/privacy">Privacy Policy</Link>.
              </Trans>
            </p>
          )}
        </div>
      </div>
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
