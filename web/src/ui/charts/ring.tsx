import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './charts.module.css';

const round = 100;

/** A ring that closes as something is reached, with a figure or sign inside. */
export function Ring({
  label,
  share,
  valueText,
  isDone = false,
  children,
}: {
  /** The name of the progress. */
  label: string;
  /** 0 to 1, capped at 1. */
  share: number;
  /** The progress in words, such as '3 of 4 days'. */
  valueText: string;
  isDone?: boolean;
  children: ReactNode;
}) {
  const reached = Math.min(1, Math.max(0, share));
  return (
    <span
      className={clsx(styles.ring, isDone && styles.done)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(reached * 100)}
      aria-valuetext={valueText}
    >
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="20.5" className={styles.track} />
        {reached > 0 && (
          <circle
            cx="24"
            cy="24"
            r="20.5"
            className={styles.value}
            pathLength={round}
            strokeDasharray={`${reached * round} ${round}`}
            transform="rotate(-90 24 24)"
          />
        )}
      </svg>
      <b aria-hidden="true">{children}</b>
    </span>
  );
}
