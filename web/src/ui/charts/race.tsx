import { Flag } from 'lucide-react';
import clsx from 'clsx';
import styles from './race.module.css';

/** A lane to the flag: a dot is a twenty-fifth of the way, and the emblem stands where one is. */
export function RaceLane({
  label,
  share,
  valueText,
  emblem,
  isOwn,
}: {
  /** The name of the progress. */
  label: string;
  /** 0 to 1; beyond the goal it stays at the flag. */
  share: number;
  /** The progress in words, such as '42.0 of 50 miles'. */
  valueText: string;
  emblem: string;
  isOwn: boolean;
}) {
  const reached = Math.min(1, Math.max(0, share));
  const percent = `${reached * 100}%`;
  return (
    <div
      className={clsx(styles.track, isOwn && styles.own)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(reached * 100)}
      aria-valuetext={valueText}
    >
      <i style={{ inlineSize: percent }} />
      <Flag className={styles.flag} size={18} aria-hidden="true" />
      <em style={{ insetInlineStart: percent }} aria-hidden="true">
        {emblem}
      </em>
    </div>
  );
}
