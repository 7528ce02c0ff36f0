import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Columns, ScenePage } from '../../ui/page.tsx';
import { Hero } from './hero.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Stats } from './stats.tsx';
import { TeamProgress } from './team-progress.tsx';

/** Parts of the screen that other features draw; the route puts them in. */
type Slots = {
  /** The team's way between two stops, at the foot of the hero. */
  road: ReactNode;
  /** The next step to take. */
  next: ReactNode;
};

/**
 * Home: the own week above the team's road, the own figures, then the next step, and beside it what teams and colleagues
 * did. Every part stands alone: a part that misses its answer or breaks leaves the others as they are.
 */
export function Dashboard({ road, next }: Slots) {
  const { t } = useLingui();
  return (
    <ScenePage
      title={t`Dashboard`}
      scene={
        <ErrorBoundary>
          <Hero road={road} />
        </ErrorBoundary>
      }
    >
      <ErrorBoundary>
        <Stats />
      </ErrorBoundary>
      <Columns
        main={next}
        side={
          <>
            <ErrorBoundary>
              <TeamProgress />
            </ErrorBoundary>
            <ErrorBoundary>
              <RecentActivity />
            </ErrorBoundary>
          </>
        }
      />
    </ScenePage>
  );
}
