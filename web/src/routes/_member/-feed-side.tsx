import { WeekShare } from '../../features/dashboard/week-share.tsx';
import { NextStopCard } from '../../features/journey/next-stop-card.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';

/** Beside the feed on wide screens: where the own team is going, and what the teams made this week. */
export const FeedSide = () => (
  <>
    <ErrorBoundary>
      <NextStopCard />
    </ErrorBoundary>
    <ErrorBoundary>
      <WeekShare />
    </ErrorBoundary>
  </>
);
