import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import styles from './analytics.module.css';
import { useCursor } from './use-cursor.ts';

type ChartProps = {
  /** What is drawn. */
  label: string;
  /** In words, each figure: what is read aloud and stands below the drawing. */
  readings: readonly string[];
  across?: number;
  /** The same as a table. */
  table: ReactNode;
  children: (at: number) => ReactNode;
};

/** A drawing that is walked through with the arrow keys, one figure at a time, and the same figures as a table. */
export function Chart({ label, readings, across = 1, table, children }: ChartProps) {
  const { t } = useLingui();
  const hintId = useId();
  const { at, handlers } = useCursor({ length: readings.length, across });
  return (
    <figure className={styles.chart}>
      <div
        className={styles.drawing}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hintId}
        aria-valuemin={1}
        aria-valuemax={readings.length}
        aria-valuenow={at + 1}
        aria-valuetext={readings[at]}
        {...handlers}
      >
        {children(at)}
      </div>
      <figcaption>
        <p className={styles.reading} aria-hidden="true">
          {readings[at]}
        </p>
        <p id={hintId} hidden>{t`Arrow keys go from figure to figure.`}</p>
        <details className={styles.table}>
          <summary>{t`Show as a table`}</summary>
          <Scrolling label={label}>{table}</Scrolling>
        </details>
      </figcaption>
    </figure>
  );
}

/** A table that may be wider than the screen. */
export const Scrolling = ({ label, children }: { label: string; children: ReactNode }) => (
  // What scrolls must be reachable without a pointer.
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
