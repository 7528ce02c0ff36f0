import { teamRenamed } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** The team is called so from now on, on boards and in what was earned for it before. */
@Controller()
export class RenameTeamWhenTeamRenamed {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: teamRenamed })
  async rename({ orgId, data }: Consumed<typeof teamRenamed>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update teams set name = $3, emoji = $4 where org_id = $1 and team_id = $2', [
      orgId,
      data.teamId,
      data.name,
      data.emoji,
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
