import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDates } from '../../lib/dates.ts';
import { formatCount } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { Meter } from '../../ui/meter.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { galleryQuery } from './api.ts';
import { awayFrom, isNewThisWeek, latestEarned, nextBadge, shareOf } from './badges.ts';
import { Emblem } from './emblem.tsx';
import styles from './shelf.module.css';

const shown = 4;

/** The badges earned last and the one that is nearest; missing when they cannot be had (D44). */
export function Shelf() {
  const { t } = useLingui();
  const { data: badges, isPending } = useQuery(galleryQuery);
  if (!isPending && !badges) return null;
  const earned = formatCount(badges?.filter(({ isEarned }) => isEarned).length ?? 0);
  const total = formatCount(badges?.length ?? 0);
  const next = nextBadge(badges ?? []);
  return (
    <Card title={t`Badges`} aside={badges && <Link to="/badges">{t`${earned} of ${total}`}</Link>}>
      <Loading isLoading={isPending} skeleton={<Skeleton height={210} />}>
        {() => (
          <>
            <Latest badges={latestEarned(badges ?? [], shown)} />
            {next && <Next badge={next} />}
          </>
        )}
      </Loading>
    </Card>
  );
}

function Latest({ badges }: { badges: readonly GalleryBadge[] }) {
  const { formatDate } = useDates();
  const now = useNow();
  if (badges.length === 0) return null;
  return (
    <ul className={styles.shelf}>
      {badges.map((badge) => (
        <li key={badge.badgeId}>
          <Emblem badge={badge} state={isNewThisWeek(badge.dateEarned, now) ? 'week' : 'earned'} size={62} />
          <b>{badge.badgeName}</b>
          <span>{badge.dateEarned !== null && formatDate(badge.dateEarned, { month: 'short', day: 'numeric' })}</span>
        </li>
      ))}
    </ul>
  );
}

function Next({ badge }: { badge: GalleryBadge }) {
  const left = formatCount(awayFrom(badge.progress));
  return (
    <div className={styles.next}>
      <Emblem badge={badge} state="locked" share={shareOf(badge.progress)} size={56} />
      <div>
        <h3>{badge.badgeName}</h3>
        <p>
          <Trans>You're {left} away from unlocking this badge!</Trans>
        </p>
        <Meter label={badge.badgeName} share={shareOf(badge.progress)} valueText={badge.progress.progressText} />
      </div>
    </div>
  );
}
