import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { Trans, useLingui } from '@lingui/react/macro';
import { Sparkles } from 'lucide-react';
import { useDates } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { Tag } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meter } from '../../ui/meter.tsx';
import type { StampState } from '../../ui/stamp.tsx';
import { awayFrom, isNewThisWeek, shareOf } from './badges.ts';
import { MarkedEmblem } from './emblem.tsx';
import styles from './gallery.module.css';

/** One badge of the gallery; a press tells its story (2.95). */
export function Tile({ badge, onOpen }: { badge: GalleryBadge; onOpen: () => void }) {
  const { badgeName, isEarned, dateEarned, progress } = badge;
  return (
    <button type="button" className={styles.tile} data-earned={isEarned} onClick={onOpen}>
      <MarkedEmblem badge={badge} state={useStampState(badge)} share={shareOf(progress)} />
      <b>{badgeName}</b>
      <span className={styles.state}>
        {isEarned && dateEarned ? <EarnedOn dateEarned={dateEarned} /> : progress.progressText}
      </span>
    </button>
  );
}

function useStampState({ isEarned, dateEarned }: GalleryBadge): StampState {
  const now = useNow();
  if (!isEarned) return 'locked';
  return isNewThisWeek(dateEarned, now) ? 'week' : 'earned';
}

function EarnedOn({ dateEarned }: { dateEarned: string }) {
  const { t } = useLingui();
  const { formatDate } = useDates();
  const date = formatDate(dateEarned, { dateStyle: 'medium' });
  return (
    <>
      {t`Earned ${date}`} <ThisWeek dateEarned={dateEarned} />
    </>
  );
}

/** Says so while a badge is new (9). */
function ThisWeek({ dateEarned }: { dateEarned: string | null }) {
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

/** What a badge is for, and when it was earned or how far it is (2.95). */
export function Detail({ badge, onClose }: { badge: GalleryBadge; onClose: () => void }) {
  const { t } = useLingui();
  const { badgeName, isEarned, description, requirement, progress } = badge;
  return (
    <Dialog isOpen title={badgeName} description={description} onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className={styles.detail} data-earned={isEarned}>
        <MarkedEmblem badge={badge} state={useStampState(badge)} share={shareOf(progress)} size={132} />
        <p className={styles.requirement}>
          <b>{t`Requirement`}</b> {requirement}
        </p>
        {isEarned ? <Earned badge={badge} /> : <ToGo badge={badge} />}
      </div>
    </Dialog>
  );
}

function Earned({ badge: { dateEarned } }: { badge: GalleryBadge }) {
  const { formatDate } = useDates();
  const date = dateEarned === null ? '' : formatDate(dateEarned, { dateStyle: 'long' });
  return (
    <p className={styles.earned}>
      <Trans>Earned on {date}</Trans> <ThisWeek dateEarned={dateEarned} />
    </p>
  );
}

function ToGo({ badge: { badgeName, progress } }: { badge: GalleryBadge }) {
  const left = formatCount(awayFrom(progress));
  return (
    <div className={styles.toGo}>
      <Meter label={badgeName} share={shareOf(progress)} valueText={progress.progressText} />
      <p className={styles.state}>{progress.progressText}</p>
      <p>
        <Trans>You're {left} away from unlocking this badge!</Trans>
      </p>
    </div>
  );
}
