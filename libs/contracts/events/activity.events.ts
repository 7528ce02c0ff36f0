import { z } from 'zod';
import { forgottenActivityName } from '../domain/movement/activities.ts';
import { publicEvent } from './envelope.ts';
import {
  centimilesSchema,
  durationMinutesSchema,
  localDateSchema,
  photoFactsSchema,
  sourceSchema,
  toldTimeZoneSchema,
} from './fields.ts';

const forgottenTexts = { activityType: forgottenActivityName, caption: null, location: null };
/** What only the person and the person's body said. */
const forgotten = { ...forgottenTexts, photoPath: null, photo: null, heartRate: null, calories: null };

/** An import that its owner has not consented to be scored earns nothing. */
const earnedCentimiles = centimilesSchema.nonnegative();

const logged = z.object({
  logId: z.uuid(),
  userId: z.uuid(),
  /** It keeps the miles when the member moves on (D2). */
  teamId: z.uuid(),
  activityType: z.string(),
  durationMinutes: durationMinutesSchema,
  centimiles: earnedCentimiles,
  multiplier: z.number().positive(),
  /** Whatever the provider is called; one that is not known here counts as typed in (3.39). */
  source: z.string().transform((name) => sourceSchema.safeParse(name).data ?? 'manual'),
  startedAt: z.iso.datetime(),
  loggedAt: z.iso.datetime(),
  /** The member's local date at the start (D10). */
  loggedOn: localDateSchema,
  timeZone: toldTimeZoneSchema,
  caption: z.string().nullable(),
  location: z.string().nullable(),
  /** `/objects/photos/{id}`: the picture itself is its owner's to read, others need a signed address. */
  photoPath: z.string().nullable(),
  photo: photoFactsSchema.nullable(),
  /** 'owner': nobody else is shown it, whatever the owner's privacy (D21). */
  audience: z.enum(['organisation', 'owner']),
  /** Beats a minute, on average; others are shown it by the owner's consent `shareHeartRate` only (D18). */
  heartRate: z.number().int().positive().nullable(),
  /** Kilocalories; others are shown them by the owner's consent `shareCalories` only (D18). */
  calories: z.number().int().nonnegative().nullable(),
  bonusChallengeId: z.uuid().optional(),
  /** It earns nothing: the same workout counts by another log of its owner, or its owner said so (D25). Absent: it counts. */
  notCounted: z.object({ sameAs: z.object({ logId: z.uuid(), source: sourceSchema }).nullable() }).optional(),
  /** Its owner's word on whether it counts; absent: the rule decides (D25). */
  countsByWord: z.boolean().optional(),
});

export const movementLogged = publicEvent('MovementLogged', 1, logged, forgotten);

const corrected = logged.extend({
  /** 1 is the log as it was made; tells an old correction that comes late. */
  revision: z.number().int().min(2),
  correctedAt: z.iso.datetime(),
  previous: z.object({
    durationMinutes: durationMinutesSchema,
    centimiles: earnedCentimiles,
    loggedOn: localDateSchema,
  }),
});

/** All of the log as it is from now on. Team, source and zone never change (D2, D10). */
export const movementCorrected = publicEvent('MovementCorrected', 1, corrected, forgotten);

export const movementRemoved = publicEvent(
  'MovementRemoved',
  1,
  z.object({
    logId: z.uuid(),
    userId: z.uuid(),
    teamId: z.uuid(),
    durationMinutes: durationMinutesSchema,
    centimiles: earnedCentimiles,
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
