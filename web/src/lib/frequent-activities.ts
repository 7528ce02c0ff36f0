import { listFrequentActivities } from './api/generated/sdk.gen.ts';
import { dataQuery } from './query-client.ts';

/** What one does most besides the presets, the most frequent first (7.15). */
export const frequentActivitiesQuery = dataQuery(['/api/user-activities/frequent'], listFrequentActivities);
