import { movementCorrected, movementLogged } from '@caravan/contracts/activity.events';
import { personKey } from '@caravan/contracts/fact-key';
import { positionsOf } from '@caravan/contracts/log-position';
import { movementEndOf } from '@caravan/contracts/movement-end';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';
import { earnedAtOf } from './history.ts';

const from = { group: 'scoring.award-photographers', from: 'activity' } as const;

/** Whose first photo it is says cheese (D13), with a log or added to one later. */
@Controller()
export class AwardPhotographersConsumer {
  constructor(@Inject(BadgeAwards) private readonly awards: BadgeAwards) {}

  @Consumes({ ...from, contract: movementLogged })
  awardPhotographerWhenMovementLogged(logged: Consumed<typeof movementLogged>, batch: BatchContext): void {
    const { photoPath, loggedAt } = logged.data;
    if (photoPath === null) return;
    this.enqueue(logged, earnedAtOf(new Date(movementEndOf(logged.data)), new Date(loggedAt)), batch);
  }

  @Consumes({ ...from, contract: movementCorrected })
  awardPhotographerWhenMovementCorrected(corrected: Consumed<typeof movementCorrected>, batch: BatchContext): void {
    if (corrected.data.photoPath === null) return;
    this.enqueue(corrected, new Date(corrected.data.correctedAt), batch);
  }

  private enqueue(
    fact: Consumed<typeof movementLogged | typeof movementCorrected>,
    earnedAt: Date,
    batch: BatchContext,
  ): void {
    const { orgId, data } = fact;
    const meta = { orgId, actorId: null, at: earnedAt, key: personKey(data.userId), causes: positionsOf(fact) };
    this.awards.enqueueDeed({ meta, badgeId: 'first-photo', earnedAt }, batch);
  }
}
