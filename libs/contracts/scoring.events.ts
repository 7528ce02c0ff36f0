import { z } from 'zod';
import { actAudited } from './audit.events.ts';
import { publicEvent } from './envelope.ts';
import { centimilesSchema, localDateSchema } from './fields.ts';
import { milesKinds } from './http/scores.ts';

/** Public facts of scoring on `scoring.v1`; key: userId. Totals are absolute, so that applying one twice changes nothing. */
export const milesCredited = publicEvent(
  'MilesCredited',
  1,
  z.object({
    entryId: z.uuid(),
    userId: z.uuid(),
    teamId: z.uuid(),
    kind: z.enum(milesKinds),
    /** Null for miles that come from no log. */
    logId: z.uuid().nullable(),
    /** Negative where miles were taken back. */
    centimiles: centimilesSchema,
    creditedOn: localDateSchema,
    /** The member's total after this entry. */
    totalCentimiles: centimilesSchema,
    /** The member's latest run of active days after this entry (D11); null when no day is left. */
    latestRun: z.object({ startedOn: localDateSchema, endedOn: localDateSchema }).nullable(),
    /** The streak on the run's last day: active days it has, frozen gaps bridged, and freezes still saved up (D11). */
    streak: z.object({ days: z.number().int().positive(), freezes: z.number().int().min(0).max(2) }).optional(),
  }),
);

/** A member claimed the bonus of a week's challenge; key: userId. A bonus that is taken back and claimed again comes again. */
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

/** A bonus challenge is open until `expiresAt`, unless it is closed before (D15); key: orgId. */
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

/** Nothing earns its multiplier any more; key: orgId. */
export const bonusChallengeClosed = publicEvent(
  'BonusChallengeClosed',
  1,
  z.object({ challengeId: z.uuid(), completedCount: z.number().int().nonnegative(), closedAt: z.iso.datetime() }),
);

/** A member's log earned the multiplier; key: userId. Once per member and challenge, unless the log was taken back meanwhile. */
export const bonusChallengeCompleted = publicEvent(
  'BonusChallengeCompleted',
  1,
  z.object({ challengeId: z.uuid(), userId: z.uuid(), logId: z.uuid(), completedAt: z.iso.datetime() }),
);

/** A member has earned a badge; once for each, for good (D13). Key: userId. */
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

/** A team has come to a checkpoint of the organisation's journey; once for each, for good (D33). Key: orgId. */
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
    /** True for the end of the route. */
    isLast: z.boolean(),
    reachedAt: z.iso.datetime(),
    /** Who has earned miles for the team since the start; of a very large team the 2,000 who did so last. */
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
