import clsx from 'clsx';
import type { ReactNode } from 'react';
import { activityDrawings, drawingOfActivity } from '../activity-drawings.ts';
import { Draw } from '../drawing.tsx';
import { smallHillPaths } from './hills.ts';
import { type Hour, mileBars } from './hours.ts';
import { hashOf } from './seeded-random.ts';
import styles from './slice.module.css';

/** The picture of a log without a photo: painted by its hour, one bar a mile. @param id of the log: its hills stay the same */
export function Slice({
  id,
  hour,
  activity,
  miles,
  children,
}: {
  id: string;
  hour: Hour;
  activity: string;
  /** NaN or 0: no bars. */
  miles: number;
  /** The figure, in words. */
  children: ReactNode;
}) {
  const seed = (hashOf(id) % 97) + 1;
  const { far, near } = smallHillPaths(seed);
  const { count, isLastPart } = mileBars(miles);
  return (
    <div className={clsx(styles.slice, styles[hour])}>
      <svg className={styles.picture} viewBox="0 0 640 180" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
        <circle className={styles.sun} cx={545 + ((seed * 37) % 60)} cy={hour === 'day' ? 44 : 74} r={26} />
        <path className={styles.far} d={far} />
        <path className={styles.near} d={near} />
      </svg>
      <Draw className={styles.walker} drawing={drawingOfActivity(activity) ?? activityDrawings.Walking} size={58} />
      <p className={styles.figure}>{children}</p>
      <ol className={styles.bars} aria-hidden="true">
        {Array.from({ length: count }, (_, nth) => (
          <li key={nth} className={clsx(isLastPart && nth === count - 1 && styles.part)} />
        ))}
      </ol>
    </div>
  );
}
