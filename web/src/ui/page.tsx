import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './page.module.css';

/**
 * A screen's content under its heading. The title names the browser's tab; after a navigation the heading takes the
 * focus, so that a screen reader says where one is.
 */
export function Page({
  title,
  heading,
  lead,
  aside,
  before,
  width = 'page',
  children,
}: {
  title: string;
  /** The visible heading, where it differs from the title. */
  heading?: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  /** Stands above the heading: the way back. */
  before?: ReactNode;
  /** text: a single column to read. */
  width?: 'page' | 'text';
  children: ReactNode;
}) {
  return (
    <div className={clsx(styles.page, styles[width])}>
      <title>{`${title} · Caravan`}</title>
      {before && <div className={styles.before}>{before}</div>}
      <div className={styles.head}>
        <div>
          <h1 tabIndex={-1}>{heading ?? title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </div>
  );
}

/** Two columns on wide screens: what I do, and beside it what others do. */
export const Columns = ({ main, side }: { main: ReactNode; side: ReactNode }) => (
  <div className={styles.columns}>
    <div className={styles.stack}>{main}</div>
    <div className={styles.stack}>{side}</div>
  </div>
);

export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>;
