import { z } from 'zod';
import { actAudited } from './audit.events.ts';
import { publicEvent } from './envelope.ts';
import { centimilesSchema, localDateSchema } from './fields.ts';
import { milesKinds } from './http/scores.ts';

/** Totals are absolute, so that applying one twice changes nothing. */
export const milesCredited = publicEvent(
  'MilesCredited',
  1,
  z.object({
    entryId: z.uuid(),
    userId: z.uuid(),
    teamId: z.uuid(),
    kind: z.enum(milesKinds),
    logId: z.uuid().nullable(),
    centimiles: centimilesSchema,
    creditedOn: localDateSchema,
    totalCentimiles: centimilesSchema,
    /** After this entry (D11); null when no day is left. */
    latestRun: z.object({ startedOn: localDateSchema, endedOn: localDateSchema }).nullable(),
    /** On the run's last day: active days with frozen gaps bridged, and freezes still saved up (D11). */
    streak: z.object({ days: z.number().int().positive(), freezes: z.number().int().min(0).max(2) }).optional(),
  }),
);

/** A bonus that is taken back and claimed again comes again. */
export const weeklyChallengeCompleted = publicEvent(
  'WeeklyChallengeCompleted',
  1,
  z.object({
    challengeId: z.uuid(),
    userId: z.uuid(),
    teamId: z.uuid(),
    name: z.string(),
    challengeType: z.enum(['individual', 'team']),
    bonusCentimiles: centimilesSchema,
    weekStartsOn: localDateSchema,
    completedAt: z.iso.datetime(),
  }),
);

export const bonusChallengeOpened = publicEvent(
  'BonusChallengeOpened',
  1,
  z.object({
    challengeId: z.uuid(),
    strategy: z.enum(['momentum_boost', 'competitive', 'consistency']),
    title: z.string(),
    description: z.string(),
    activityType: z.string(),
    targetDurationMinutes: z.number().int().positive(),
    multiplier: z.number().positive(),
    openedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
);

export const bonusChallengeClosed = publicEvent(
  'BonusChallengeClosed',
  1,
  z.object({ challengeId: z.uuid(), completedCount: z.number().int().nonnegative(), closedAt: z.iso.datetime() }),
);

/** Once per member and challenge, unless the log was taken back meanwhile. */
export const bonusChallengeCompleted = publicEvent(
  'BonusChallengeCompleted',
  1,
  z.object({ challengeId: z.uuid(), userId: z.uuid(), logId: z.uuid(), completedAt: z.iso.datetime() }),
);

export const badgeEarned = publicEvent(
  'BadgeEarned',
  1,
  z.object({
    userId: z.uuid(),
    badgeId: z.string(),
    badgeName: z.string(),
    badgeIcon: z.string(),
    /** When its condition was met; long ago for a history that was entered late. */
    earnedAt: z.iso.datetime(),
  }),
);

export const checkpointReached = publicEvent(
  'CheckpointReached',
  1,
  z.object({
    journeyId: z.uuid(),
    routeId: z.string(),
    routeName: z.string(),
    teamId: z.uuid(),
    checkpointName: z.string(),
    mileMark: z.number(),
    isLast: z.boolean(),
    reachedAt: z.iso.datetime(),
    /** Who has earned for the team since the start; of a very large team the 2,000 who did so last. */
    contributors: z.array(z.uuid()),
  }),
);

export const scoringEvents = {
  MilesCredited: milesCredited,
  WeeklyChallengeCompleted: weeklyChallengeCompleted,
  BonusChallengeOpened: bonusChallengeOpened,
  BonusChallengeClosed: bonusChallengeClosed,
  BonusChallengeCompleted: bonusChallengeCompleted,
  BadgeEarned: badgeEarned,
  CheckpointReached: checkpointReached,
  ActAudited: actAudited,
};
