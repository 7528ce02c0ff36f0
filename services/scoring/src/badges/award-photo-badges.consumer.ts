import { movementCorrected, movementLogged } from '@caravan/contracts/events/activity.events';
import { personKey } from '@caravan/contracts/events/fact-key';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { movementEndOf } from '@caravan/contracts/domain/movement/movement-end';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';
import { earnedAtOf } from './history.ts';

type Logged = Consumed<typeof movementLogged>;
type Corrected = Consumed<typeof movementCorrected>;

/** Most logs have no photo. One that nobody but its owner may see earns nothing (D21). */
const pictured = {
  group: 'scoring.award-photo-badges',
  from: 'activity',
  isAwaited: false,
  isPrompt: false,
  takes: ({ photoPath, audience }: (Logged | Corrected)['data']) => photoPath !== null && audience === 'organisation',
} as const;

/** Whose first photo it is says cheese (D13), with a log or added to one later. */
@Controller()
export class AwardPhotoBadgesConsumer {
  constructor(@Inject(BadgeAwards) private readonly awards: BadgeAwards) {}

  @Consumes({ ...pictured, contract: movementLogged })
  awardBadgeWhenMovementLogged(logged: Logged, batch: BatchContext): void {
    const earnedAt = earnedAtOf(new Date(movementEndOf(logged.data)), new Date(logged.data.loggedAt));
    this.enqueue(logged, earnedAt, batch);
  }

  @Consumes({ ...pictured, contract: movementCorrected })
  awardBadgeWhenMovementCorrected(corrected: Corrected, batch: BatchContext): void {
    this.enqueue(corrected, new Date(corrected.data.correctedAt), batch);
  }

  private enqueue(fact: Logged | Corrected, earnedAt: Date, batch: BatchContext): void {
    const { orgId, data } = fact;
    const meta = { orgId, actorId: null, at: earnedAt, key: personKey(data.userId), causes: positionsOf(fact) };
    this.awards.enqueueDeed({ meta, badgeId: 'first-photo', earnedAt }, batch);
  }
}
