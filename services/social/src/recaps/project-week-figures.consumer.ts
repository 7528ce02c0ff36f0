import { memberSignedIn } from '@caravan/contracts/events/identity.events';
import {
  badgeEarned,
  bonusChallengeCompleted,
  milesCredited,
  weeklyChallengeCompleted,
} from '@caravan/contracts/events/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';
import { addToWeeks, countSignIns, keepFeats } from './figures.store.ts';

export const projectWeekFigures = 'social.project-week-figures';
/** Recaps are built long after. */
const ofWeeks = { group: projectWeekFigures, from: 'scoring', isAwaited: false, isPrompt: false } as const;
/** A group of its own: nobody tells sign-ins again. */
export const countSignInsGroup = 'social.count-sign-ins';

/** What scoring says of weeks, and how often members sign in: what recaps are made of beside posts and checkpoints. */
@Controller()
export class ProjectWeekFiguresConsumer {
  @Consumes({ ...ofWeeks, contract: milesCredited })
  addMilesWhenMilesCredited(credited: Consumed<typeof milesCredited>, batch: BatchContext): void {
    batch.enqueueWrite(addToWeeks, credited);
  }

  @Consumes({ ...ofWeeks, contract: weeklyChallengeCompleted })
  keepFeatWhenWeeklyChallengeCompleted(
    { orgId, data }: Consumed<typeof weeklyChallengeCompleted>,
    batch: BatchContext,
  ): void {
    const { userId, challengeId: subject, name, completedAt: happenedAt, isOwnerOnly } = data;
    if (isOwnerOnly) return;
    batch.enqueueWrite(keepFeats, { orgId, userId, kind: 'weekly-challenge', subject, name, happenedAt });
  }

  @Consumes({ ...ofWeeks, contract: bonusChallengeCompleted })
  keepFeatWhenBonusChallengeCompleted(
    { orgId, data }: Consumed<typeof bonusChallengeCompleted>,
    batch: BatchContext,
  ): void {
    const { userId, challengeId: subject, completedAt: happenedAt } = data;
    batch.enqueueWrite(keepFeats, { orgId, userId, kind: 'bonus-challenge', subject, name: null, happenedAt });
  }

  @Consumes({ ...ofWeeks, contract: badgeEarned })
  keepFeatWhenBadgeEarned({ orgId, data }: Consumed<typeof badgeEarned>, batch: BatchContext): void {
    const { userId, badgeId: subject, earnedAt: happenedAt } = data;
    batch.enqueueWrite(keepFeats, { orgId, userId, kind: 'badge', subject, name: null, happenedAt });
  }

  @Consumes({ group: countSignInsGroup, from: 'identity', contract: memberSignedIn, isAwaited: false, isPrompt: false })
  countSignInWhenMemberSignedIn({ orgId, data }: Consumed<typeof memberSignedIn>, batch: BatchContext): void {
    batch.enqueueWrite(countSignIns, { orgId, signedInAt: data.signedInAt });
  }
}
