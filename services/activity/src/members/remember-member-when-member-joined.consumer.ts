import { memberJoined } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** Keeps for whom a member earns and where their days begin, so that a log needs no other service. */
@Controller()
export class RememberMemberWhenMemberJoined {
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: memberJoined })
  async remember({ orgId, data }: Consumed<typeof memberJoined>, { tx }: BatchContext): Promise<void> {
    await tx.query(
      `insert into members (org_id, user_id, team_id, time_zone) values ($1, $2, $3, $4)
       on conflict (org_id, user_id) do nothing`,
      [orgId, data.userId, data.teamId, data.timeZone],
    );
  }
}
