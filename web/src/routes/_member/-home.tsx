import type { QueryClient } from '@tanstack/react-query';
import { bonusChallengeQuery, weeklyChallengesQuery } from '../../features/challenges/api.ts';
import { BonusCard } from '../../features/challenges/bonus-card.tsx';
import { WeeklyChallenges } from '../../features/challenges/weekly-challenges.tsx';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { journeyQuery } from '../../features/journey/api.ts';
import { JourneyCard } from '../../features/journey/next-stop.tsx';

/** Asks for what the cards of other features show on the dashboard, together with its own figures. */
export const queryHome = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.query(bonusChallengeQuery),
    queryClient.query(weeklyChallengesQuery),
    queryClient.query(journeyQuery),
  ]);

/** The dashboard, put together of what several features show there. */
export const Home = () => (
  <Dashboard bonus={<BonusCard />} challenges={<WeeklyChallenges />} journey={<JourneyCard />} />
);
