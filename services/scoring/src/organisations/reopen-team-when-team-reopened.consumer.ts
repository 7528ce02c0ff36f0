import { teamReopened } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** A team that is open again stands on the board like any other. */
@Controller()
export class ReopenTeamWhenTeamReopened {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: teamReopened })
  async reopen({ orgId, data }: Consumed<typeof teamReopened>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update teams set is_retired = false where org_id = $1 and team_id = $2', [
      orgId,
      data.teamId,
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
