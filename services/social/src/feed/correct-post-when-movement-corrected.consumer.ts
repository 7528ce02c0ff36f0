import { movementCorrected } from '@caravan/contracts/activity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { writePosts } from './write-posts.query.ts';

/** A corrected log is shown as it is now, in its place by when it ended. */
@Controller()
export class CorrectPostWhenMovementCorrected {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementCorrected })
  correct({ orgId, data }: Consumed<typeof movementCorrected>, batch: BatchContext): void {
    batch.enqueueWrite(writePosts, { is: 'corrected', orgId, revision: data.revision, log: data });
    const own = { userIds: [data.userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(orgId, ['feed'], { persons: own }));
  }
}
