import styles from './share-bar.module.css';

type Part = {
  id: string;
  name: string;
  emoji: string;
  /** 0 to 1 of all. */
  share: number;
  /** The share in words, such as '52%'. */
  valueText: string;
};

/** Who brought how much of a whole. The parts below the bar say it in words; the second one is hatched. */
export function ShareBar({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ id, share }) => share > 0 && <i key={id} style={{ flexGrow: share }} />)}
      </div>
      <ul className={styles.parts}>
        {parts.map(({ id, name, emoji, valueText }) => (
          <li key={id}>
            <i aria-hidden="true" />
            {emoji} <bdi>{name}</bdi> <b>{valueText}</b>
          </li>
        ))}
      </ul>
    </>
  );
}
