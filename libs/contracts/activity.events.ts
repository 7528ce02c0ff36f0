import { z } from 'zod';
import { forgottenActivityName } from './activities.ts';
import { publicEvent } from './envelope.ts';
import {
  centimilesSchema,
  durationMinutesSchema,
  localDateSchema,
  sourceSchema,
  toldTimeZoneSchema,
} from './fields.ts';

/** Of what somebody typed about a movement. */
const forgottenTexts = { activityType: forgottenActivityName, caption: null, location: null };

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
    timeZone: toldTimeZoneSchema,
    caption: z.string().nullable(),
    location: z.string().nullable(),
    /** The bonus challenge that it completes; absent on an ordinary log. */
    bonusChallengeId: z.uuid().optional(),
  }),
  forgottenTexts,
);

/** What a movement was before it was corrected. */
const previousSchema = z.object({
  durationMinutes: durationMinutesSchema,
  centimiles: centimilesSchema.positive(),
  loggedOn: localDateSchema,
});

/** The owner corrected a log: all of it as it is from now on. Team, source and zone never change (D2, D10). */
export const movementCorrected = publicEvent(
  'MovementCorrected',
  1,
  movementLogged.data.extend({
    /** 1 is the log as it was made; rises with each correction, so that an old one is known when it comes late. */
    revision: z.number().int().min(2),
    correctedAt: z.iso.datetime(),
    previous: previousSchema,
  }),
  forgottenTexts,
);

/** The owner took a log back: it earns nothing any more and nobody sees it. The figures are its last. */
export const movementRemoved = publicEvent(
  'MovementRemoved',
  1,
  z.object({
    logId: z.uuid(),
    userId: z.uuid(),
    teamId: z.uuid(),
    durationMinutes: durationMinutesSchema,
    centimiles: centimilesSchema.positive(),
    startedAt: z.iso.datetime(),
    loggedOn: localDateSchema,
    removedAt: z.iso.datetime(),
  }),
);

export const activityEvents = {
  MovementLogged: movementLogged,
  MovementCorrected: movementCorrected,
  MovementRemoved: movementRemoved,
};
