import { memberMoved } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** The member reads the new team's feed; posts stay in the feed of the team that they were logged for (D17). */
@Controller()
export class MoveMemberWhenMemberMoved {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.know-members', from: 'identity', contract: memberMoved })
  async move({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update members set team_id = $3 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.teamId,
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
