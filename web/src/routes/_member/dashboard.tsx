import { createFileRoute } from '@tanstack/react-router';
import { inAdvance } from '../../lib/query-client.ts';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { dashboardStatsQuery } from '../../features/dashboard/api.ts';

export const Route = createFileRoute('/_member/dashboard')({
  loader: ({ context }) => inAdvance(context.queryClient.query(dashboardStatsQuery)),
  component: Dashboard,
});
