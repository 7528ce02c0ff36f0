import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBranding } from '../../lib/branding.ts';
import { meQuery } from '../../lib/me.ts';
import { useSession } from '../../lib/session-state.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Columns, Page } from '../../ui/page.tsx';
import styles from './dashboard.module.css';
import { RecentActivity } from './recent-activity.tsx';
import { Stats } from './stats.tsx';
import { TeamProgress } from './team-progress.tsx';
import { WeekCard } from './week-card.tsx';

/** What other features show here; the route puts it in. */
type Slots = {
  /** What to do next. */
  next: ReactNode;
  /** How far the teams have travelled, and above `recent` what others do. */
  beside: (recent: ReactNode) => ReactNode;
};

/**
 * Home: how far this week, where I stand, what to do next; beside it the team, its journey and what the others do.
 * Every card stands alone: what one of them misses or breaks leaves the others as they are.
 */
export function Dashboard({ next, beside }: Slots) {
  const { t } = useLingui();
  const { user } = useSession();
  const { welcomeMessage } = useBranding();
  const me = useQuery(meQuery);
  const name = me.data?.name ?? user?.name ?? '';
  return (
    <Page
      title={t`Dashboard`}
      heading={t`Let's go, ${name}`}
      lead={
        <>
          {t`Your team is counting on you`}
          <bdi className={styles.welcome}>{welcomeMessage}</bdi>
        </>
      }
    >
      <Columns
        main={
          <>
            <ErrorBoundary>
              <WeekCard />
            </ErrorBoundary>
            <ErrorBoundary>
              <Stats />
            </ErrorBoundary>
            {next}
          </>
        }
        side={
          <>
            <ErrorBoundary>
              <TeamProgress />
            </ErrorBoundary>
            {beside(
              <ErrorBoundary>
                <RecentActivity />
              </ErrorBoundary>,
            )}
          </>
        }
      />
    </Page>
  );
}
