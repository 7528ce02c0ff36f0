import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { stampBox, stampEdge } from './stamp-edge.ts';
import styles from './stamp.module.css';

/** week: earned within seven days; new: just now, pressed on at an angle; locked: still to be earned. */
export type StampState = 'earned' | 'week' | 'new' | 'locked';

type StampStyle = CSSProperties & Record<'--stamp', string>;
const edge = stampEdge();

/** A badge as a stamp; decoration beside its name. @param share 0 to 1: how much of a locked one's ring is walked */
export function Stamp({
  state = 'earned',
  share = 0,
  size = 76,
  children,
}: {
  state?: StampState;
  share?: number;
  size?: number;
  children: ReactNode;
}) {
  const style: StampStyle = { '--stamp': `${size}px` };
  return (
    <span className={clsx(styles.stamp, styles[state])} style={style} data-state={state} aria-hidden="true">
      <svg viewBox={`0 0 ${stampBox} ${stampBox}`}>
        <path className={styles.edge} d={edge} />
        <circle className={styles.ring} cx={stampBox / 2} cy={stampBox / 2} r={38} />
        {state === 'locked' && share > 0 && (
          <circle
            className={styles.walked}
            cx={stampBox / 2}
            cy={stampBox / 2}
            r={38}
            pathLength={100}
            strokeDasharray={`${Math.min(1, share) * 100} 100`}
            transform={`rotate(-90 ${stampBox / 2} ${stampBox / 2})`}
          />
        )}
      </svg>
      <span className={styles.print}>{children}</span>
    </span>
  );
}
