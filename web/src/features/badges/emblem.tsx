import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { Check, Lock } from 'lucide-react';
import { drawnBadge } from '../../ui/badge-drawings.ts';
import { Draw } from '../../ui/drawing.tsx';
import { Stamp, type StampState } from '../../ui/stamp.tsx';
import styles from './emblem.module.css';

type EmblemProps = {
  badge: Pick<GalleryBadge, 'badgeName' | 'badgeIcon'> & { badgeId?: string };
  state?: StampState;
  /** 0 to 1: how much of the way to a locked one is done. */
  share?: number;
  size?: number;
};

const drawnShare = 0.46;

/** A badge's sign as a stamp. What this page does not know shows the icon that came with it. */
export function Emblem({ badge, state = 'earned', share = 0, size = 88 }: EmblemProps) {
  const drawn = drawnBadge(badge);
  return (
    <Stamp state={state} size={size} share={share}>
      {drawn ? <Draw drawing={drawn.drawing} size={Math.round(size * drawnShare)} /> : badge.badgeIcon}
    </Stamp>
  );
}

/** The sign with a tick or a lock on it. */
export function MarkedEmblem({ state = 'earned', size = 88, ...rest }: EmblemProps) {
  const Mark = state === 'locked' ? Lock : Check;
  return (
    <span className={styles.marked} data-state={state} aria-hidden="true">
      <Emblem state={state} size={size} {...rest} />
      <span className={styles.mark}>
        <Mark size={Math.max(12, Math.round(size / 6))} strokeWidth={3} />
      </span>
    </span>
  );
}
