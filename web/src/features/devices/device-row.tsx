import clsx from 'clsx';
import { HeartPulse, Watch } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { DeviceId } from './device.ts';
import styles from './devices.module.css';

const dots = [
  ...[12, 8.2, 15.8, 4.6, 19.4].map((y) => ({ x: 12, y, r: y === 12 ? 2 : 1.5 })),
  ...[10.1, 13.9, 6.5, 17.5].map((y) => ({ x: 8.2, y, r: 1.3 })),
  ...[10.1, 13.9].map((y) => ({ x: 15.9, y, r: 1.9 })),
  ...[12].map((y) => ({ x: 4.8, y, r: 1 })),
  ...[12, 8.4, 15.6].map((y) => ({ x: 19.6, y, r: y === 12 ? 2 : 1.4 })),
];

/** The platforms' own signs; what is not theirs is an icon. */
const marks: Readonly<Record<DeviceId, ReactNode>> = {
  'apple-watch': <Watch size={24} aria-hidden="true" />,
  'google-fit': <HeartPulse size={24} aria-hidden="true" />,
  strava: (
    <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
      <path fill="#fc4c02" d="m10.5 1.5 6 11.7h-3.6l-2.4-4.8-2.4 4.8H4.5z" />
      <path fill="#fc4c02" opacity=".6" d="M15 22.5 10.9 14h2.7l1.4 2.9 1.5-2.9h2.6z" />
    </svg>
  ),
  fitbit: (
    <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
      {dots.map(({ x, y, r }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={r} fill="#00b0b9" />
      ))}
    </svg>
  ),
};

/** One device: what it is, how it stands with it, and what one can do. */
export function DeviceRow({
  id,
  name,
  tag,
  text,
  action,
  isMeant,
  isLong = false,
  children,
}: {
  id: DeviceId;
  name: string;
  /** Beside the name. */
  tag?: ReactNode;
  text: ReactNode;
  /** At the end of the row; below the text where there is no room. */
  action: ReactNode;
  /** A link leads to this row. */
  isMeant: boolean;
  /** There is much to read: on phones the action stands below it. */
  isLong?: boolean;
  /** Under both. */
  children?: ReactNode;
}) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMeant) ref.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  return (
    <li
      ref={ref}
      className={clsx(styles.row, isMeant && styles.meant, isLong && styles.long)}
      aria-current={isMeant ? true : undefined}
    >
      <span className={styles.mark}>{marks[id]}</span>
      <div className={styles.what}>
        <div className={styles.name}>
          <h3>{name}</h3>
          {tag}
        </div>
        {text}
      </div>
      <div className={styles.action}>{action}</div>
      {children}
    </li>
  );
}
