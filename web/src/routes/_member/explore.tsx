import { createFileRoute } from '@tanstack/react-router';
import { WeeklyChallenges } from '../../features/challenges/weekly-challenges.tsx';
import { ExampleChallenges, Explore } from '../../features/explore/explore.tsx';

export const Route = createFileRoute('/_member/explore')({
  component: () => <Explore challenges={<WeeklyChallenges whenLost={<ExampleChallenges />} />} />,
});
