import { createFileRoute } from '@tanstack/react-router';
import { leaderboardQuery } from '../../features/scoreboard/api.ts';
import { Scoreboard } from '../../features/scoreboard/scoreboard.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/leaderboard')({
  validateSearch: ({ period }: { period?: string }): { period?: string } => (period === undefined ? {} : { period }),
  // Both, so that a choice of the other finds it there.
  loader: ({ context: { queryClient } }) => {
    for (const period of ['all', 'week'] as const) inAdvance(queryClient, leaderboardQuery(period));
  },
  component: LeaderboardRoute,
});

function LeaderboardRoute() {
  const navigate = Route.useNavigate();
  const period = Route.useSearch().period === 'week' ? 'week' : 'all';
  return (
    <Scoreboard
      period={period}
      onPeriod={(next) => void navigate({ search: next === 'week' ? { period: next } : {}, resetScroll: false })}
    />
  );
}
