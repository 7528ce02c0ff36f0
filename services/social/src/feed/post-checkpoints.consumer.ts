import { checkpointReached } from '@caravan/contracts/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

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
    await batch.tx.query(
      `insert into checkpoint_entries
         (org_id, entry_id, journey_id, team_id, checkpoint_name, route_name, mile_mark, is_last, reached_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [
        ...[orgId, id, data.journeyId, data.teamId, data.checkpointName, data.routeName],
        ...[data.mileMark, data.isLast, data.reachedAt],
      ],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
