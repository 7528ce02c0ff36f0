import { randomUUIDv7 } from 'node:crypto';
import { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { LedgerService } from './ledger.service.ts';
import { correctionOf, creditOf, shownOf, takingBackOf } from './log-facts.ts';

@Controller()
export class CreditMilesConsumer {
  constructor(@Inject(LedgerService) private readonly ledger: LedgerService) {}

  /** For the member, and for the team of that moment (D2, D5). */
  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementLogged, locksKeys: true })
  async creditMilesWhenMovementLogged(event: Consumed<typeof movementLogged>, batch: BatchContext): Promise<void> {
    const { orgId, data } = event;
    await this.ledger.enter(event, batch, shownOf(orgId, data, 1), (zones) => creditOf(data, zones));
  }

  /** Earns the difference, or costs it (D8); nothing that was entered is overwritten. */
  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementCorrected, locksKeys: true })
  async correctMilesWhenMovementCorrected(
    event: Consumed<typeof movementCorrected>,
    batch: BatchContext,
  ): Promise<void> {
    const { orgId, data } = event;
    await this.ledger.enter(event, batch, shownOf(orgId, data, data.revision), (zones) =>
      correctionOf(data, zones, [randomUUIDv7(), randomUUIDv7()]),
    );
  }

  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementRemoved, locksKeys: true })
  async takeBackMilesWhenMovementRemoved(event: Consumed<typeof movementRemoved>, batch: BatchContext): Promise<void> {
    const { orgId, data } = event;
    const news = { is: 'removed', orgId, logId: data.logId } as const;
    await this.ledger.enter(event, batch, news, () => takingBackOf(data, randomUUIDv7()));
  }
}
