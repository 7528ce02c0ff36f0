import { readLeaderboard } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

export const leaderboardQuery = dataQuery(['/api/leaderboard'], readLeaderboard);
