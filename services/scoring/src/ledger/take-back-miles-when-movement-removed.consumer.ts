import { randomUUIDv7 } from 'node:crypto';
import { movementRemoved } from '@caravan/contracts/activity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller, Inject } from '@nestjs/common';
import { LedgerEntries } from './ledger-entries.client.ts';
import { takingBackOf } from './log-facts.ts';

/** A log that its owner took back earns nothing any more (D8). */
@Controller()
export class TakeBackMilesWhenMovementRemoved {
  constructor(@Inject(LedgerEntries) private readonly entries: LedgerEntries) {}

  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementRemoved, locksKeys: true })
  async takeBack(event: Consumed<typeof movementRemoved>, batch: BatchContext): Promise<void> {
    const { orgId, data } = event;
    const news = { is: 'removed', orgId, logId: data.logId } as const;
    await this.entries.enter(event, batch, news, () => takingBackOf(data, randomUUIDv7()));
  }
}
