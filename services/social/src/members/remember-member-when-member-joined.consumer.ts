import { memberJoined } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Keeps whom posts are from and which team's feed a member sees; posts that came before are shown from now on (D18). */
@Controller()
export class RememberMemberWhenMemberJoined {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.know-members', from: 'identity', contract: memberJoined })
  async remember({ orgId, data }: Consumed<typeof memberJoined>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `insert into members (org_id, user_id, team_id, name) values ($1, $2, $3, $4)
       on conflict (org_id, user_id) do nothing`,
      [orgId, data.userId, data.teamId, data.name],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
