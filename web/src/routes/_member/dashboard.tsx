import { createFileRoute } from '@tanstack/react-router';
import { inAdvance } from '../../lib/query-client.ts';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { Home } from './-home.tsx';

export const Route = createFileRoute('/_member/dashboard')({
  loader: ({ context: { queryClient } }) => {
    inAdvance(queryClient, dashboardStatsQuery);
    // Before the first view is drawn, so that its cards come with it instead of one after the other.
    import('./-home.tsx').then(({ queryHome }) => queryHome(queryClient)).catch(() => undefined);
  },
  component: Home,
});
