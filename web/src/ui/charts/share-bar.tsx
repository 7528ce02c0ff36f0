import { formatPercent } from '../../lib/format.ts';
import styles from './share-bar.module.css';

type Part = { id: string; name: string; share: number };

/** How a whole is divided: parts told apart by pattern and name, and the same as a list of percentages. */
export function ShareBar({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ id, share }) => (
          <i key={id} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ id, name, share }) => (
          <li key={id}>
            <i aria-hidden="true" />
            <bdi>{name}</bdi> <b>{formatPercent(share)}</b>
          </li>
        ))}
      </ul>
    </>
  );
}
