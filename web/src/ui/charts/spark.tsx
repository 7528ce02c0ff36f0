import styles from './charts.module.css';
import { sparkBox, sparkPoints } from './spark-line.ts';

/** How a figure came to where it is; decoration beside the figure. */
export function Spark({ values, className }: { values: readonly number[]; className?: string | undefined }) {
  const points = sparkPoints(values);
  const last = points.at(-1);
  if (!last || points.length < 2) return null;
  return (
    <svg
      className={className ? `${styles.spark} ${className}` : styles.spark}
      viewBox={`0 0 ${sparkBox.width} ${sparkBox.height}`}
      aria-hidden="true"
    >
      <path d={`M${points.map((point) => point.join(' ')).join('L')}`} />
      <circle cx={last[0]} cy={last[1]} r={3.5} />
    </svg>
  );
}
