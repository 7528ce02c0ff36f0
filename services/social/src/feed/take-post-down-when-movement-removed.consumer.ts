import { movementRemoved } from '@caravan/contracts/activity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { writePosts } from './write-posts.query.ts';

/** A log that was taken back is seen by nobody any more, and nothing of it is kept. */
@Controller()
export class TakePostDownWhenMovementRemoved {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementRemoved })
  takeDown({ orgId, data }: Consumed<typeof movementRemoved>, batch: BatchContext): void {
    batch.enqueueWrite(writePosts, { is: 'removed', orgId, log: data });
    const own = { userIds: [data.userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(orgId, ['feed'], { persons: own }));
  }
}
