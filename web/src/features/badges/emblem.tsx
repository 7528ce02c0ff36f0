import type { GalleryBadge } from '@caravan/contracts/http/badges';
import clsx from 'clsx';
import { Check, Lock } from 'lucide-react';
import styles from './emblem.module.css';

type Category = GalleryBadge['category'];

/** Every category has a form of its own, in a box of 100: a milestone, a flame's drop, a wheel, a stamp. */
const outlines: Record<Category, string> = {
  Milestones: 'M50 7C73 7 85 21 85 41V84Q85 92 77 92H23Q15 92 15 84V41C15 21 27 7 50 7Z',
  Streaks: 'M50 4C58 18 88 32 88 60A38 35 0 0 1 12 60C12 44 22 38 28 24C34 30 36 34 38 38C46 30 50 18 50 4Z',
  Activity: 'M50 6L69 12L87 27L94 50L87 73L69 88L50 94L31 88L13 73L6 50L13 27L31 12Z',
  Journey:
    'M12 12Q20 18 28 12Q36 18 44 12Q50 17 56 12Q64 18 72 12Q80 18 88 12V88Q80 82 72 88Q64 82 56 88Q50 83 44 88Q36 82 28 88Q20 82 12 88Z',
};

/**
 * A badge's sign. Earned it is whole and marked with a tick; before, it is drawn as the way ahead is: dotted, with the
 * part behind solid, and a lock.
 */
export function Emblem({
  icon,
  category,
  isEarned,
  share = 0,
  size = 88,
}: {
  icon: string;
  category: Category;
  isEarned: boolean;
  /** 0 to 1: how much of the outline is walked. */
  share?: number;
  size?: number;
}) {
  const Mark = isEarned ? Check : Lock;
  return (
    <span
      className={clsx(styles.emblem, styles[category], isEarned ? styles.earned : styles.locked)}
      aria-hidden="true"
    >
      <svg viewBox="0 0 100 100" width={size} height={size}>
        <path className={styles.body} d={outlines[category]} />
        {!isEarned && share > 0 && (
          <path
            className={styles.walked}
            d={outlines[category]}
            pathLength={100}
            strokeDasharray={`${share * 100} 101`}
          />
        )}
        <text className={styles.icon} x={50} y={category === 'Streaks' ? 72 : 64} textAnchor="middle">
          {icon}
        </text>
      </svg>
      <span className={styles.mark}>
        <Mark size={Math.max(12, Math.round(size / 6))} strokeWidth={3} />
      </span>
    </span>
  );
}
