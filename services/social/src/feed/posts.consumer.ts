import { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import { checkpointReached } from '@caravan/contracts/events/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { AfterVisibility } from '../ports.ts';
import { storeCheckpointEntry, writePosts } from './posts.store.ts';

/** What became of logs, as activity tells it. */
@Controller()
export class PostMovementsConsumer {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(AfterVisibility) private readonly afterVisibility: readonly AfterVisibility[],
  ) {}

  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementLogged })
  postMovementWhenMovementLogged({ orgId, data }: Consumed<typeof movementLogged>, batch: BatchContext): void {
    batch.enqueueWrite(writePosts, { is: 'logged', orgId, revision: 1, log: data });
    this.tellFeeds(orgId, data.userId, batch);
  }

  /** In its place by when it ended. */
  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementCorrected })
  correctPostWhenMovementCorrected({ orgId, data }: Consumed<typeof movementCorrected>, batch: BatchContext): void {
    batch.enqueueWrite(writePosts, { is: 'corrected', orgId, revision: data.revision, log: data });
    for (const other of this.afterVisibility) other.entryChanged?.({ orgId, entryId: data.logId }, batch);
    this.tellFeeds(orgId, data.userId, batch);
  }

  /** Nothing of it is kept. */
  @Consumes({ group: 'social.post-movements', from: 'activity', contract: movementRemoved })
  takePostDownWhenMovementRemoved({ orgId, data }: Consumed<typeof movementRemoved>, batch: BatchContext): void {
    batch.enqueueWrite(writePosts, { is: 'removed', orgId, log: data });
    for (const other of this.afterVisibility) other.entryChanged?.({ orgId, entryId: data.logId }, batch);
    this.tellFeeds(orgId, data.userId, batch);
  }

  private tellFeeds(orgId: string, userId: string, batch: BatchContext): void {
    const own = { userIds: [userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(orgId, ['feed'], { persons: own }));
  }
}

/** Where teams have come to on their journey (D33). */
@Controller()
export class PostCheckpointsConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({
    group: 'social.post-checkpoints',
    from: 'scoring',
    contract: checkpointReached,
    isAwaited: false,
    isPrompt: false,
  })
  async postCheckpointWhenCheckpointReached(
    { orgId, id, data }: Consumed<typeof checkpointReached>,
    batch: BatchContext,
  ): Promise<void> {
    await storeCheckpointEntry(batch.tx, { orgId, id }, data);
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
