import { randomUUIDv7 } from 'node:crypto';
import { movementCorrected } from '@caravan/contracts/activity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller, Inject } from '@nestjs/common';
import { LedgerEntries } from './ledger-entries.client.ts';
import { correctionOf, shownOf } from './log-facts.ts';

/** A corrected log earns the difference, or costs it (D8); nothing that was entered is overwritten. */
@Controller()
export class CorrectMilesWhenMovementCorrected {
  constructor(@Inject(LedgerEntries) private readonly entries: LedgerEntries) {}

  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementCorrected, locksKeys: true })
  async correct(event: Consumed<typeof movementCorrected>, batch: BatchContext): Promise<void> {
    const { orgId, data } = event;
    await this.entries.enter(event, batch, shownOf(orgId, data, data.revision), (timeZone) =>
      correctionOf(data, timeZone, [randomUUIDv7(), randomUUIDv7()]),
    );
  }
}
