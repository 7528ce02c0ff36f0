import { useQuery, type QueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { bonusChallengeQuery, weeklyChallengesQuery } from '../../features/challenges/api.ts';
import { BonusCard } from '../../features/challenges/bonus-card.tsx';
import { WeeklyChallenges } from '../../features/challenges/weekly-challenges.tsx';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { journeyQuery } from '../../features/journey/api.ts';
import { JourneyCard } from '../../features/journey/next-stop.tsx';
import { meQuery } from '../../lib/me.ts';

/** Asks for what the cards of other features show on the dashboard, together with its own figures. */
export const queryHome = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.query(bonusChallengeQuery),
    queryClient.query(weeklyChallengesQuery),
    queryClient.query(journeyQuery),
  ]);

const VotingPrompt = lazy(async () => ({
  default: (await import('../../features/team-voting/voting-prompt.tsx')).VotingPrompt,
}));

const RecapCard = lazy(async () => ({ default: (await import('../../features/recaps/recap-card.tsx')).RecapCard }));

/** Fetched by who is asked for a vote: most of the time that is nobody. */
function Voting() {
  const { data: me } = useQuery(meQuery);
  if (!me || me.hasVotedThisChallenge) return null;
  return (
    <Suspense>
      <VotingPrompt />
    </Suspense>
  );
}

/** The dashboard, put together of what several features show there. */
export const Home = () => (
  <Dashboard
    voting={<Voting />}
    recap={
      <Suspense>
        <RecapCard />
      </Suspense>
    }
    bonus={<BonusCard />}
    challenges={<WeeklyChallenges />}
    journey={<JourneyCard />}
  />
);
