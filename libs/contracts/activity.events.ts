import { z } from 'zod';
import { forgottenActivityName } from './activities.ts';
import { earlierVersion, publicEvent, taking } from './envelope.ts';
import {
  centimilesSchema,
  durationMinutesSchema,
  localDateSchema,
  sourceSchema,
  toldTimeZoneSchema,
} from './fields.ts';
import { photoFactsSchema } from './http/photos.ts';

const forgottenTexts = { activityType: forgottenActivityName, caption: null, location: null };
/** What only the person and the person's body said. */
const forgotten = { ...forgottenTexts, photoPath: null, photo: null, heartRate: null, calories: null };

const logged1 = z.object({
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
});

/** An import that its owner has not consented to be scored earns nothing. */
const earned = { centimiles: centimilesSchema.nonnegative() };

const logged2 = logged1.extend({
  ...earned,
  /** Whatever the provider is called; one that is not known here counts as typed in (3.39). */
  source: z.string().transform((name) => sourceSchema.safeParse(name).data ?? 'manual'),
  /** `/objects/photos/{id}`: the picture itself is its owner's to read, others need a signed address. */
  photoPath: z.string().nullable(),
  /** Of the picture at `photoPath`; absent in facts from before photos. */
  photo: photoFactsSchema.nullable().optional(),
  /** 'owner': nobody else is shown it, whatever the owner's privacy (D21). */
  audience: z.enum(['organisation', 'owner']),
  /** Beats a minute, on average; others are shown it by the owner's consent `shareHeartRate` only (D18). */
  heartRate: z.number().int().positive().nullable(),
  /** Kilocalories; others are shown them by the owner's consent `shareCalories` only (D18). */
  calories: z.number().int().nonnegative().nullable(),
  /** It earns nothing: the same workout counts by another log of its owner, or its owner said so (D25). Absent: it counts. */
  notCounted: z.object({ sameAs: z.object({ logId: z.uuid(), source: sourceSchema }).nullable() }).optional(),
  /** Its owner's word on whether it counts; absent: the rule decides (D25). */
  countsByWord: z.boolean().optional(),
});

const asNow = <Then extends object>(log: Then) => ({
  ...log,
  ...({ photoPath: null, audience: 'organisation', heartRate: null, calories: null } as const),
});

export const movementLogged = taking(
  publicEvent('MovementLogged', 2, logged2, forgotten),
  earlierVersion(1, logged1, asNow),
);

const previous1 = z.object({
  durationMinutes: durationMinutesSchema,
  centimiles: centimilesSchema.positive(),
  loggedOn: localDateSchema,
});
const correction = {
  /** 1 is the log as it was made; tells an old correction that comes late. */
  revision: z.number().int().min(2),
  correctedAt: z.iso.datetime(),
};

/** All of the log as it is from now on. Team, source and zone never change (D2, D10). */
export const movementCorrected = taking(
  publicEvent('MovementCorrected', 2, logged2.extend({ ...correction, previous: previous1.extend(earned) }), forgotten),
  earlierVersion(1, logged1.extend({ ...correction, previous: previous1 }), asNow),
);

const removed1 = z.object({
  logId: z.uuid(),
  userId: z.uuid(),
  teamId: z.uuid(),
  durationMinutes: durationMinutesSchema,
  centimiles: centimilesSchema.positive(),
  startedAt: z.iso.datetime(),
  loggedOn: localDateSchema,
  removedAt: z.iso.datetime(),
});

export const movementRemoved = taking(
  publicEvent('MovementRemoved', 2, removed1.extend(earned)),
  earlierVersion(1, removed1, (log) => log),
);

export const activityEvents = {
  MovementLogged: movementLogged,
  MovementCorrected: movementCorrected,
  MovementRemoved: movementRemoved,
};
