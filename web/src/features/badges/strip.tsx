import type { EarnedBadge } from '@caravan/contracts/http/badges';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Stack } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { earnedBadgesQuery } from './api.ts';
import { keyOfEarned, latestFirst } from './badges.ts';
import { Emblem } from './emblem.tsx';
import styles from './strip.module.css';

const shownAtOnce = 4;

/** All badges one has earned, in a row (2.100, D44). */
export function Strip() {
  const { t } = useLingui();
  const { data: badges } = useQuery(earnedBadgesQuery);
  if (!badges) return null;
  const count = formatCount(badges.length);
  return (
    <Card title={t`Your Streak Badges (${count})`} className={styles.card}>
      {badges.length === 0 ? (
        <EmptyState title={t`No badges yet`} hint={t`Your first log earns the first one.`} />
      ) : (
        <Row badges={latestFirst(badges)} label={t`Your Streak Badges (${count})`} />
      )}
      {badges.length > shownAtOnce && (
        <p className={styles.hint}>
          {t`Scroll to see all badges`}
          <ChevronRight size={16} aria-hidden="true" />
        </p>
      )}
    </Card>
  );
}

const Row = ({ badges, label }: { badges: readonly EarnedBadge[]; label: string }) => (
  // What scrolls must be reachable without a pointer.
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <ul className={styles.row} tabIndex={0} aria-label={label}>
    {badges.map((badge) => (
      <li key={keyOfEarned(badge)}>
        <Emblem badge={badge} size={64} />
        <span>{badge.badgeName}</span>
      </li>
    ))}
  </ul>
);

/** On the own profile: what one has earned, and the way to everything else. */
export function BadgesOfMine() {
  const { t } = useLingui();
  return (
    <Stack>
      <Strip />
      <Button asChild variant="quiet">
        <Link to="/badges">{t`To the badge gallery`}</Link>
      </Button>
    </Stack>
  );
}
