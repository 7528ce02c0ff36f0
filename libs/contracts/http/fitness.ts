import { z } from 'zod';

export const fitnessStatusSchema = z.object({
  strava: z.object({ connected: z.boolean(), athleteId: z.string().nullable() }),
  fitbit: z.object({ connected: z.boolean(), userId: z.string().nullable() }),
  lastSyncDate: z.string().nullable(),
});
export type FitnessStatus = z.infer<typeof fitnessStatusSchema>;
