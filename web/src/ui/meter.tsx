import clsx from 'clsx';
import styles from './meter.module.css';

/** A bar of what is reached; the text beside or `valueText` says it in words. @param share 0 to 1, capped at 1 */
export function Meter({
  label,
  share,
  valueText,
  tone = 'brand',
}: {
  label: string;
  share: number;
  valueText: string;
  tone?: 'brand' | 'good' | 'warn' | 'danger';
}) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      className={styles.meter}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
    >
      <div className={clsx(styles.bar, styles[tone])} style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}
