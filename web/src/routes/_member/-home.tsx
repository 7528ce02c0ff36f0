import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { weeklyChallengesQuery } from '../../features/challenges/api.ts';
import { BonusCard } from '../../features/challenges/bonus-card.tsx';
import { WeeklyChallenges } from '../../features/challenges/weekly-challenges.tsx';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { journeyQuery } from '../../features/journey/api.ts';
import { TeamRoad } from '../../features/journey/team-road.tsx';
import { newestRecapQuery } from '../../features/recaps/api.ts';
import { companyQuery } from '../../features/company-setup/api.ts';
import { bonusChallengeQuery } from '../../lib/bonus-challenge.ts';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { meQuery } from '../../lib/me.ts';
import { weeklyGoalMiles } from '../../lib/weekly-goal.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Stack } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Together } from '../../ui/together.tsx';

/** Asks for what the cards of other features show on the dashboard, together with its own figures. */
export const queryHome = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.query(bonusChallengeQuery),
    queryClient.query(weeklyChallengesQuery),
    queryClient.query(journeyQuery),
    queryClient.query(newestRecapQuery),
  ]);

const VotingPrompt = lazyPart(async () => (await import('../../features/team-voting/voting-prompt.tsx')).VotingPrompt);

const StartPrompt = lazyPart(async () => (await import('../../features/company-setup/start-prompt.tsx')).StartPrompt);

const RecapCard = lazyPart(async () => (await import('../../features/recaps/recap-card.tsx')).RecapCard);

/** The next step. Until it is known, its place is as tall, so that nothing below is pushed away. */
function Next() {
  const me = useQuery(meQuery);
  const isAsked = me.data?.hasVotedThisChallenge === false;
  // A ballot that opens later fetches its prompt without hiding the cards that are there.
  const isPrompted = useDeferredValue(isAsked);
  const isAdmin = me.data?.role === 'admin';
  const company = useQuery({ ...companyQuery, enabled: isAdmin });
  const isStarting = useDeferredValue(company.data?.setUpAt === null);
  const recap = useQuery(newestRecapQuery);
  const bonus = useQuery(bonusChallengeQuery);
  const weekly = useQuery(weeklyChallengesQuery);
  const isWon = (useQuery(dashboardStatsQuery).data?.weeklyMiles ?? 0) >= weeklyGoalMiles;
  const queries: { isPending: boolean }[] = [me, recap, bonus, weekly];
  if (isAdmin) queries.push(company);
  return (
    <Together queries={queries} skeleton={<NextSkeleton />}>
      <Stack>
        {isStarting && (
          <ErrorBoundary>
            <StartPrompt />
          </ErrorBoundary>
        )}
        {isPrompted && (
          // Fetched by those who are asked for a vote alone.
          <ErrorBoundary>
            <VotingPrompt />
          </ErrorBoundary>
        )}
        <ErrorBoundary>
          <RecapCard />
        </ErrorBoundary>
        {/* Once the week's goal is reached, what can be claimed stands first. */}
        {isWon && (
          <ErrorBoundary>
            <WeeklyChallenges />
          </ErrorBoundary>
        )}
        <ErrorBoundary>
          <BonusCard />
        </ErrorBoundary>
        {!isWon && (
          <ErrorBoundary>
            <WeeklyChallenges />
          </ErrorBoundary>
        )}
      </Stack>
    </Together>
  );
}

const NextSkeleton = () => (
  <Stack>
    <Skeleton height={180} />
    <Skeleton height={420} />
  </Stack>
);

/** The dashboard, put together of what several features show there. */
export const Home = () => <Dashboard road={<TeamRoad />} next={<Next />} />;
