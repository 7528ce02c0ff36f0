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

const forgottenTexts = { activityType: forgottenActivityName, caption: null, location: null };

export const movementLogged = publicEvent(
  'MovementLogged',
  1,
  z.object({
    logId: z.uuid(),
    userId: z.uuid(),
    /** It keeps the miles when the member moves on (D2). */
    teamId: z.uuid(),
    activityType: z.string(),
    durationMinutes: durationMinutesSchema,
    centimiles: centimilesSchema.positive(),
    multiplier: z.number().positive(),
    source: sourceSchema,
    startedAt: z.iso.datetime(),
    loggedAt: z.iso.datetime(),
    /** The member's local date at the start (D10). */
    loggedOn: localDateSchema,
    timeZone: toldTimeZoneSchema,
    caption: z.string().nullable(),
    location: z.string().nullable(),
    bonusChallengeId: z.uuid().optional(),
  }),
  forgottenTexts,
);

const previousSchema = z.object({
  durationMinutes: durationMinutesSchema,
  centimiles: centimilesSchema.positive(),
  loggedOn: localDateSchema,
});

/** All of the log as it is from now on. Team, source and zone never change (D2, D10). */
export const movementCorrected = publicEvent(
  'MovementCorrected',
  1,
  movementLogged.data.extend({
    /** 1 is the log as it was made; tells an old correction that comes late. */
    revision: z.number().int().min(2),
    correctedAt: z.iso.datetime(),
    previous: previousSchema,
  }),
  forgottenTexts,
);

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
