import { createFileRoute } from '@tanstack/react-router';
import { inAdvance } from '../../lib/query-client.ts';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { Home } from './-home.tsx';

export const Route = createFileRoute('/_member/')({
  loader: ({ context }) => inAdvance(context.queryClient, dashboardStatsQuery),
  component: Home,
});
