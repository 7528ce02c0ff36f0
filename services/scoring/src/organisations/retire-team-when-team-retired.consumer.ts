import { teamRetired } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** A retired team stays on the board as long as it has miles (D2). */
@Controller()
export class RetireTeamWhenTeamRetired {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: teamRetired })
  async retire({ orgId, data }: Consumed<typeof teamRetired>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update teams set is_retired = true where org_id = $1 and team_id = $2', [orgId, data.teamId]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
