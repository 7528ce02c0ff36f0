import { createFileRoute } from '@tanstack/react-router';
import { leaderboardQuery } from '../../features/scoreboard/api.ts';
import { Scoreboard } from '../../features/scoreboard/scoreboard.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/leaderboard')({
  loader: ({ context }) => inAdvance(context.queryClient.query(leaderboardQuery)),
  component: Scoreboard,
});
