import { movementLogged } from '@caravan/contracts/activity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller, Inject } from '@nestjs/common';
import { LedgerEntries } from './ledger-entries.client.ts';
import { creditOf, shownOf } from './log-facts.ts';

/** A log earns its miles: for the member, and for the team of that moment (D2, D5). */
@Controller()
export class CreditMilesWhenMovementLogged {
  constructor(@Inject(LedgerEntries) private readonly entries: LedgerEntries) {}

  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementLogged, locksKeys: true })
  async credit(event: Consumed<typeof movementLogged>, batch: BatchContext): Promise<void> {
    const { orgId, data } = event;
    await this.entries.enter(event, batch, shownOf(orgId, data, 1), (timeZone) => creditOf(data, timeZone));
  }
}
