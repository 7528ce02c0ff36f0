import type { EarnedBadge } from '@caravan/contracts/http/badges';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { meQuery } from '../../lib/me.ts';
import type { Moment } from '../../lib/moment.ts';
import { ownDaysQuery } from '../../lib/own-days.ts';
import { CelebrationDialog } from './celebration-dialog.tsx';
import { milestoneOf } from './facts.ts';
import { LogCelebration } from './log-celebration.tsx';
import { StreakCelebration } from './streak-celebration.tsx';

/** Parts that other features draw; the route puts them in. */
export type MomentParts = {
  /** The team's road with these miles lit. */
  road: (miles: number) => ReactNode;
  /** The stop that the team passed with these miles. */
  stop: string | null;
  /** Badges that this log earned, the earliest first. */
  badges: readonly EarnedBadge[];
  emblem: (badge: EarnedBadge) => ReactNode;
};

/** The moment after a log: one screen for a breath, then the dashboard. */
export function MomentDialog({ moment, parts, onEnd }: { moment: Moment; parts: MomentParts; onEnd: () => void }) {
  const me = useQuery(meQuery);
  const days = useQuery(ownDaysQuery);
  const stats = useQuery(dashboardStatsQuery);
  const isReady = useIsReady(!me.isFetching && !days.isFetching && !stats.isFetching);
  const milestone = isReady && me.data && days.data ? milestoneOf(me.data, days.data, moment.on) : null;
  return (
    <CelebrationDialog label={moment.title} isNight={milestone !== null} onEnd={onEnd}>
      {isReady && milestone === null && <LogCelebration moment={moment} parts={parts} onEnd={onEnd} />}
      {milestone !== null && (
        <StreakCelebration
          milestone={milestone}
          moment={moment}
          parts={parts}
          name={me.data?.name ?? ''}
          onEnd={onEnd}
        />
      )}
    </CelebrationDialog>
  );
}

/** So long the moment waits for the figures after the log; then it shows those that are there. */
const patienceMilliseconds = 700;

/** True once the figures have come, and then for good: what comes later does not begin the celebration again. */
function useIsReady(isFresh: boolean): boolean {
  const [isReady, setIsReady] = useState(isFresh);
  if (isFresh && !isReady) setIsReady(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), patienceMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}
