import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBranding } from '../../lib/branding.ts';
import { meQuery } from '../../lib/me.ts';
import { useSession } from '../../lib/session-state.ts';
import { Card } from '../../ui/card.tsx';
import { Columns, Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { dashboardStatsQuery } from './api.ts';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import styles from './dashboard.module.css';
import { RecentActivity } from './recent-activity.tsx';
import { Stats } from './stats.tsx';
import { TeamProgress } from './team-progress.tsx';
import { VotingPrompt } from './voting-prompt.tsx';
import { WeekCard } from './week-card.tsx';

/** What other features show here; the route puts it in. */
type Slots = { bonus?: ReactNode; challenges?: ReactNode; journey?: ReactNode };

/** Home: how far this week, where I stand, what to do next; beside it the team, its journey and what the others do. */
export function Dashboard({ bonus, challenges, journey }: Slots) {
  const { t } = useLingui();
  const { user } = useSession();
  const { welcomeMessage } = useBranding();
  const me = useQuery(meQuery);
  const stats = useQuery(dashboardStatsQuery);
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
      <Loading isLoading={!stats.isError && !(me.data && stats.data)} skeleton={<DashboardSkeleton />}>
        {() =>
          me.data && stats.data ? (
            <Columns
              main={
                <>
                  {!me.data.hasVotedThisChallenge && <VotingPrompt teamName={me.data.team.name} />}
                  <WeekCard miles={stats.data.weeklyMiles} timeZone={me.data.timeZone} />
                  <Stats me={me.data} rank={stats.data.userRank} />
                  {bonus}
                  {challenges}
                </>
              }
              side={
                <>
                  <TeamProgress teams={stats.data.teamProgress} ownTeamId={me.data.team.id} />
                  {journey}
                  <RecentActivity activities={stats.data.recentActivities} />
                </>
              }
            />
          ) : (
            <Card>
              <ErrorState
                title={t`Your miles could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void stats.refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}
