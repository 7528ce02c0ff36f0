import { z } from 'zod';
import { actAudited } from './audit.events.ts';
import { publicEvent } from './envelope.ts';
import { centimilesSchema, localDateSchema } from './fields.ts';
import { milesKinds } from '../domain/movement/miles.ts';

/** Totals are absolute, so that applying one twice changes nothing. */
/** After an entry (D11); `latestRun` is null when no day is left. */
const streakAfter = {
  latestRun: z.object({ startedOn: localDateSchema, endedOn: localDateSchema }).nullable(),
  /** On the run's last day: active days with frozen gaps bridged, and freezes still saved up (D11). */
  streak: z.object({ days: z.number().int().positive(), freezes: z.number().int().min(0).max(2) }).optional(),
};

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
    /** Seen by the member alone where `shown` is there. */
    ...streakAfter,
    /** The streak without what only its owner may see (D21); absent where it is the same. */
    shown: z.object(streakAfter).optional(),
  }),
);

type Credited = z.infer<(typeof milesCredited)['data']>;

/** The streak that colleagues may see. */
export const shownStreakIn = ({ latestRun, streak, shown }: Credited): NonNullable<Credited['shown']> =>
  shown ?? { latestRun, streak };

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
    /** Set where only its owner may know: it was reached by data that colleagues may not see (D21). */
    isOwnerOnly: z.literal(true).optional(),
  }),
);

/** Its bonus can be claimed from now on; told before the claim, once unless it was unreached meanwhile (D14). */
export const weeklyChallengeReached = publicEvent(
  'WeeklyChallengeReached',
  1,
  z.object({
    userId: z.uuid(),
    challengeId: z.uuid(),
    name: z.string(),
    weekStartsOn: localDateSchema,
    reachedAt: z.iso.datetime(),
    bonusCentimiles: centimilesSchema,
  }),
);

/** A correction took away what had been reached and not been claimed (D8). */
export const weeklyChallengeUnreached = publicEvent(
  'WeeklyChallengeUnreached',
  1,
  z.object({ userId: z.uuid(), challengeId: z.uuid(), weekStartsOn: localDateSchema, at: z.iso.datetime() }),
);

/** In the evening of a local date without a log, where no freeze would save the streak (D11). */
export const streakAtRisk = publicEvent(
  'StreakAtRisk',
  1,
  z.object({ userId: z.uuid(), on: localDateSchema, days: z.number().int().positive() }),
);

/** On Friday, when a fifth of the weekly goal is left at most. */
export const weeklyGoalNear = publicEvent(
  'WeeklyGoalNear',
  1,
  z.object({ userId: z.uuid(), weekStartsOn: localDateSchema, missingCentimiles: centimilesSchema }),
);

/** In the morning of its last day, for those who began it and have not completed it. */
export const challengeEndingToday = publicEvent(
  'ChallengeEndingToday',
  1,
  z.object({
    userId: z.uuid(),
    kind: z.enum(['weekly', 'bonus']),
    challengeId: z.uuid(),
    name: z.string(),
    on: localDateSchema,
  }),
);

/** Overtaken on the organisation's board by a neighbour who lets others see their miles; once a day at most (D18). */
export const rankLost = publicEvent(
  'RankLost',
  1,
  z.object({
    userId: z.uuid(),
    byUserId: z.uuid(),
    /** The one that is left. */
    rank: z.number().int().positive(),
    lostAt: z.iso.datetime(),
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

const earnedSchema = z.object({
  userId: z.uuid(),
  badgeId: z.string(),
  badgeName: z.string(),
  badgeIcon: z.string(),
  /** When its condition was met; long ago for a history that was entered late. */
  earnedAt: z.iso.datetime(),
});

/** Colleagues may see it; kept for good (D13). It may have been its owner's alone before. */
export const badgeEarned = publicEvent('BadgeEarned', 1, earnedSchema);

/** Earned by data that only its owner may see, so only its owner may see the badge (D13, D21). */
export const ownBadgeEarned = publicEvent('OwnBadgeEarned', 1, earnedSchema);

/** The data behind a badge that only its owner saw was deleted (D13). */
export const badgeWithdrawn = publicEvent(
  'BadgeWithdrawn',
  1,
  z.object({ userId: z.uuid(), badgeId: z.string(), withdrawnAt: z.iso.datetime() }),
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
  OwnBadgeEarned: ownBadgeEarned,
  BadgeWithdrawn: badgeWithdrawn,
  CheckpointReached: checkpointReached,
  WeeklyChallengeReached: weeklyChallengeReached,
  WeeklyChallengeUnreached: weeklyChallengeUnreached,
  StreakAtRisk: streakAtRisk,
  WeeklyGoalNear: weeklyGoalNear,
  ChallengeEndingToday: challengeEndingToday,
  RankLost: rankLost,
  ActAudited: actAudited,
};
