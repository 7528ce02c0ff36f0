import { z } from 'zod';
import { publicEvent } from './envelope.ts';
import { centimilesSchema, durationMinutesSchema, localDateSchema, sourceSchema, timeZoneSchema } from './fields.ts';

/** Public facts of activity on `activity.v1`; key: userId. */
export const movementLogged = publicEvent(
  'MovementLogged',
  1,
  z.object({
    logId: z.uuid(),
    userId: z.uuid(),
    /** The team the miles were earned for; it keeps them when the member moves on (D2). */
    teamId: z.uuid(),
    activityType: z.string(),
    durationMinutes: durationMinutesSchema,
    centimiles: centimilesSchema.positive(),
    /** 1 for an ordinary log, 2 for a bonus. */
    multiplier: z.number().positive(),
    source: sourceSchema,
    startedAt: z.iso.datetime(),
    loggedAt: z.iso.datetime(),
    /** The member's local date at the start (D10). */
    loggedOn: localDateSchema,
    timeZone: timeZoneSchema,
    caption: z.string().nullable(),
    location: z.string().nullable(),
  }),
);

export const activityEvents = { MovementLogged: movementLogged };
