import { z } from 'zod';

const app = { port: z.number().int(), clientId: z.string(), clientSecret: z.string() };

/** What the process is told by the variable SIMULATORS, as JSON. */
export const settingsSchema = z.object({
  folder: z.string(),
  host: z.string().optional(),
  /** By which other names it may be asked. */
  names: z.array(z.string()).optional(),
  /** Where browsers are sent back to. */
  callbackOrigin: z.string(),
  strava: z.object({ ...app, subscription: z.object({ url: z.string(), id: z.number().int() }) }).optional(),
  googleHealth: z.object({ ...app, subscriber: z.object({ url: z.string(), secret: z.string() }) }).optional(),
});
export type SimulatorsSettings = z.input<typeof settingsSchema>;
