import { memberMoved } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** Later logs count for the new team; earlier ones stay with the team that they were earned for (D2). */
@Controller()
export class MoveMemberWhenMemberMoved {
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: memberMoved })
  async move({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update members set team_id = $3 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.teamId,
    ]);
  }
}
