import { usePrefetchQuery } from '@tanstack/react-query';
import { bonusChallengeQuery, weeklyChallengesQuery } from '../../features/challenges/api.ts';
import { BonusCard } from '../../features/challenges/bonus-card.tsx';
import { WeeklyChallenges } from '../../features/challenges/weekly-challenges.tsx';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { JourneyCard } from '../../features/journey/next-stop.tsx';

/** The dashboard, put together of what several features show there. */
export function Home() {
  // Asked for at once, together with the figures that the dashboard waits for.
  usePrefetchQuery(bonusChallengeQuery);
  usePrefetchQuery(weeklyChallengesQuery);
  return <Dashboard bonus={<BonusCard />} challenges={<WeeklyChallenges />} journey={<JourneyCard />} />;
}
