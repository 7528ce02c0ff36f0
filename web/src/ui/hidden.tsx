import type { ReactNode } from 'react';
import styles from './hidden.module.css';

/** Read aloud, not shown. */
export const Hidden = ({ children }: { children: ReactNode }) => <span className={styles.hidden}>{children}</span>;
