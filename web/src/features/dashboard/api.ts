import { readDashboardStats } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const dashboardStatsQuery = dataQuery(['/api/dashboard/stats'], readDashboardStats);
