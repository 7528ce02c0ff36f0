import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { Trans, useLingui } from '@lingui/react/macro';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Meter } from '../../ui/meter.tsx';
import { awayFrom, shareOf } from './badges.ts';
import { MarkedEmblem } from './emblem.tsx';
import styles from './gallery.module.css';
import { ThisWeek } from './tile.tsx';

/** What a badge is for, and when it was earned or how far it is (2.95). */
export function Detail({ badge, onClose }: { badge: GalleryBadge; onClose: () => void }) {
  const { t } = useLingui();
  const { badgeName, isEarned, description, requirement, progress } = badge;
  return (
    <Dialog isOpen title={badgeName} description={description} onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className={styles.detail} data-earned={isEarned}>
        <MarkedEmblem badge={badge} isEarned={isEarned} share={shareOf(progress)} size={132} />
        <p className={styles.requirement}>
          <b>{t`Requirement`}</b> {requirement}
        </p>
        {isEarned ? <Earned badge={badge} /> : <ToGo badge={badge} />}
      </div>
    </Dialog>
  );
}

function Earned({ badge: { dateEarned } }: { badge: GalleryBadge }) {
  const date = dateEarned === null ? '' : formatDate(new Date(dateEarned), { dateStyle: 'long' });
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
