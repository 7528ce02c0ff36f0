import clsx from 'clsx';
import { Hidden } from '../text.tsx';
import styles from './columns.module.css';

type Column = {
  id: string;
  value: number;
  /** Above the column; empty: nothing. */
  figure: string;
  /** Below the column. */
  label: string;
  /** The column in words. */
  sentence: string;
  state?: 'current' | 'ahead' | undefined;
};

/** Values side by side, each as high as its share of the largest. */
export function Columns({ label, columns }: { label: string; columns: readonly Column[] }) {
  const most = Math.max(1, ...columns.map(({ value }) => value));
  return (
    <ol className={styles.columns} aria-label={label}>
      {columns.map(({ id, value, figure, label: name, sentence, state }) => (
        <li key={id} className={clsx(state && styles[state])}>
          <b aria-hidden="true">{figure}</b>
          <i style={{ blockSize: `${value > 0 ? Math.max(4, (value / most) * 100) : 0}%` }} aria-hidden="true" />
          <span aria-hidden="true">{name}</span>
          <Hidden>{sentence}</Hidden>
        </li>
      ))}
    </ol>
  );
}
