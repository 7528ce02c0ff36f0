import { z } from 'zod';
import { localDateSchema } from '../events/fields.ts';

export const checkpointSchema = z.object({
  name: z.string(),
  country: z.string(),
  mileMark: z.number(),
  longitude: z.number(),
  latitude: z.number(),
  story: z.string(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const routeSummarySchema = z.object({ id: z.string(), name: z.string(), totalMiles: z.number() });
export const routeSchema = routeSummarySchema.extend({ checkpoints: z.array(checkpointSchema) });
export type Route = z.infer<typeof routeSchema>;

export const travellingTeamSchema = z.object({
  id: z.string(),
  name: z.string(),
  emoji: z.string(),
  miles: z.number(),
  lastCheckpoint: z.string().nullable(),
  nextCheckpoint: z.string().nullable(),
  milesToNext: z.number(),
});

export const journeySchema = z.object({
  route: routeSchema,
  startedAt: z.string(),
  teams: z.array(travellingTeamSchema),
  reached: z.array(z.object({ checkpoint: z.string(), reachedAt: z.string() })),
  routes: z.array(routeSummarySchema),
});
export type Journey = z.infer<typeof journeySchema>;

export const routeIds = [
  'hadrians-wall',
  'west-highland-way',
  'great-ocean-road',
  'camino-frances',
  'route-66',
  'trans-siberian',
] as const;

export const startJourneyRequestSchema = z.object({
  routeId: z.enum(routeIds, { error: 'Choose a route' }),
  /** The first date whose miles count; absent: today. Not in the future. */
  startsOn: localDateSchema.optional(),
});
export type StartJourneyRequest = z.infer<typeof startJourneyRequestSchema>;
