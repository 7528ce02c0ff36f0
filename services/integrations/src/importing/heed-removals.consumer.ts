import { movementRemoved } from '@caravan/contracts/activity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { ImportsService } from './imports.service.ts';

@Controller()
export class HeedRemovalsConsumer {
  constructor(
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** What its member deleted by hand counts no more, and does not come back by itself (D8, D25). */
  @Consumes({
    group: 'integrations.heed-removals',
    from: 'activity',
    contract: movementRemoved,
    isAwaited: false,
    isPrompt: false,
  })
  async stopCountingWhenMovementRemoved(event: Consumed<typeof movementRemoved>, batch: BatchContext): Promise<void> {
    const { orgId, actorId, data } = event;
    // Nobody's act: it was retracted here.
    if (actorId !== data.userId) return;
    if (await this.imports.remove(batch.tx, event))
      batch.afterCommit(() => this.live.publish(orgId, ['devices'], { to: data.userId }));
  }
}
