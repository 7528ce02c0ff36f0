import { movementLogged } from '@caravan/contracts/activity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { writePosts } from './write-posts.query.ts';

type Logged = Consumed<typeof movementLogged>;

/** Every movement that is logged becomes a post of the feeds. */
@Controller()
export class PostMovementWhenMovementLogged {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementLogged })
  post(event: Logged, batch: BatchContext): void {
    batch.enqueueWrite(writePosts, { is: 'logged', orgId: event.orgId, revision: 1, log: event.data });
    const own = { userIds: [event.data.userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(event.orgId, ['feed'], { persons: own }));
  }
}
