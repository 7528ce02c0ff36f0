import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { useLingui } from '@lingui/react/macro';
import { Sparkles } from 'lucide-react';
import { formatDate } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { Tag } from '../../ui/chip.tsx';
import { isNewThisWeek, shareOf } from './badges.ts';
import { MarkedEmblem } from './emblem.tsx';
import styles from './gallery.module.css';

/** One badge of the gallery; a press tells its story (2.95). */
export function Tile({ badge, onOpen }: { badge: GalleryBadge; onOpen: () => void }) {
  const { badgeName, isEarned, dateEarned, progress } = badge;
  return (
    <button type="button" className={styles.tile} data-earned={isEarned} onClick={onOpen}>
      <MarkedEmblem badge={badge} isEarned={isEarned} share={shareOf(progress)} />
      <b>{badgeName}</b>
      <span className={styles.state}>
        {isEarned && dateEarned ? <EarnedOn dateEarned={dateEarned} /> : progress.progressText}
      </span>
    </button>
  );
}

function EarnedOn({ dateEarned }: { dateEarned: string }) {
  const { t } = useLingui();
  const date = formatDate(new Date(dateEarned), { dateStyle: 'medium' });
  return (
    <>
      {t`Earned ${date}`} <ThisWeek dateEarned={dateEarned} />
    </>
  );
}

/** Says so while a badge is new (9). */
export function ThisWeek({ dateEarned }: { dateEarned: string | null }) {
  const { t } = useLingui();
  const now = useNow();
  if (!isNewThisWeek(dateEarned, now)) return null;
  return (
    <Tag tone="brand" className={styles.flourish}>
      <Sparkles size={14} aria-hidden="true" />
      {t`this week`}
    </Tag>
  );
}
