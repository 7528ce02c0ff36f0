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
type Slots = { voting?: ReactNode; recap?: ReactNode; bonus?: ReactNode; challenges?: ReactNode; journey?: ReactNode };

/**
 * Home: how far this week, where I stand, what to do next; beside it the team, its journey and what the others do.
 * Every card stands alone: what one of them misses or breaks leaves the others as they are.
 */
export function Dashboard({ voting, recap, bonus, challenges, journey }: Slots) {
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
          <span className={styles.welcome}>{welcomeMessage}</span>
        </>
      }
    >
      <Columns
        main={
          <>
            <ErrorBoundary>{voting}</ErrorBoundary>
            <ErrorBoundary>{recap}</ErrorBoundary>
            <ErrorBoundary>
              <WeekCard />
            </ErrorBoundary>
            <ErrorBoundary>
              <Stats />
            </ErrorBoundary>
            <ErrorBoundary>{bonus}</ErrorBoundary>
            <ErrorBoundary>{challenges}</ErrorBoundary>
          </>
        }
        side={
          <>
            <ErrorBoundary>
              <TeamProgress />
            </ErrorBoundary>
            <ErrorBoundary>{journey}</ErrorBoundary>
            <ErrorBoundary>
              <RecentActivity />
            </ErrorBoundary>
          </>
        }
      />
    </Page>
  );
}
