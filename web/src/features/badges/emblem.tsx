import type { GalleryBadge } from '@caravan/contracts/http/badges';
import clsx from 'clsx';
import { Check, Lock } from 'lucide-react';
import { drawnBadge } from '../../ui/badge-drawings.ts';
import { Draw } from '../../ui/drawing.tsx';
import styles from './emblem.module.css';

type Category = GalleryBadge['category'];

/** Every category has a form of its own, in a box of 100: a milestone, a flame's drop, a wheel, a stamp. */
const forms: Record<Category, { outline: string; middle: number; inside: number }> = {
  Milestones: {
    outline: 'M50 7C73 7 85 21 85 41V84Q85 92 77 92H23Q15 92 15 84V41C15 21 27 7 50 7Z',
    middle: 52,
    inside: 50,
  },
  Streaks: {
    outline: 'M50 4C58 18 88 32 88 60A38 35 0 0 1 12 60C12 44 22 38 28 24C34 30 36 34 38 38C46 30 50 18 50 4Z',
    middle: 61,
    inside: 45,
  },
  Activity: {
    outline: 'M50 6L69 12L87 27L94 50L87 73L69 88L50 94L31 88L13 73L6 50L13 27L31 12Z',
    middle: 50,
    inside: 52,
  },
  Journey: {
    outline:
      'M12 12Q20 18 28 12Q36 18 44 12Q50 17 56 12Q64 18 72 12Q80 18 88 12V88Q80 82 72 88Q64 82 56 88Q50 83 44 88Q36 82 28 88Q20 82 12 88Z',
    middle: 50,
    inside: 52,
  },
};

/**
 * A badge's sign. Earned it is whole; before, it is drawn as the way ahead is: dotted, with the part behind solid. What
 * this page does not know shows the icon that came with it.
 */
export function Emblem({
  badge,
  isEarned = true,
  share = 0,
  size = 88,
}: {
  badge: { badgeId?: string; badgeName: string; badgeIcon: string; category?: Category };
  isEarned?: boolean;
  /** 0 to 1: how much of the outline is walked. */
  share?: number;
  size?: number;
}) {
  const drawn = drawnBadge(badge);
  const category = drawn?.category ?? badge.category ?? 'Milestones';
  const { outline, middle, inside } = forms[category];
  return (
    <svg
      className={clsx(styles.emblem, styles[category], isEarned ? styles.earned : styles.locked)}
      viewBox="0 0 100 100"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path className={styles.body} d={outline} />
      {!isEarned && share > 0 && (
        <path className={styles.walked} d={outline} pathLength={100} strokeDasharray={`${share * 100} 101`} />
      )}
      {drawn ? (
        <Draw
          className={styles.drawing}
          drawing={drawn.drawing}
          size={inside}
          x={50 - inside / 2}
          y={middle - inside / 2}
        />
      ) : (
        <text className={styles.icon} x={50} y={middle + 12} textAnchor="middle">
          {badge.badgeIcon}
        </text>
      )}
    </svg>
  );
}

/** The sign with a tick or a lock on it. */
export function MarkedEmblem({ size = 88, ...rest }: Parameters<typeof Emblem>[0] & { isEarned: boolean }) {
  const Mark = rest.isEarned ? Check : Lock;
  return (
    <span className={clsx(styles.marked, rest.isEarned ? styles.earned : styles.locked)} aria-hidden="true">
      <Emblem size={size} {...rest} />
      <span className={styles.mark}>
        <Mark size={Math.max(12, Math.round(size / 6))} strokeWidth={3} />
      </span>
    </span>
  );
}
