import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Wordmark } from '../../ui/narrow-card.tsx';
import styles from './public-frame.module.css';

/** The frame of screens that need no session: the name above, nothing to navigate. */
export const PublicFrame = ({ children }: { children: ReactNode }) => (
  <>
    <header className={styles.header}>
      <Link to="/" className={styles.logo}>
        <Wordmark />
      </Link>
    </header>
    <main>{children}</main>
  </>
);
