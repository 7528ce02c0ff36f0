import type { ReactNode } from 'react';
import styles from './board.module.css';

/** One's own place first, then the board, then what it means; on wide screens the board stands beside both. */
export const Board = ({ own, rows, meaning }: { own: ReactNode; rows: ReactNode; meaning?: ReactNode }) => (
  <div className={styles.board}>
    <div>{own}</div>
    <div className={styles.rows}>{rows}</div>
    {meaning && <div>{meaning}</div>}
  </div>
);
