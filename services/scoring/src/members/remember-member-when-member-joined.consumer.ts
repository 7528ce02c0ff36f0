import { memberJoined } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Keeps a member's name, zone and team, and how many a team has, for boards and averages. */
@Controller()
export class RememberMemberWhenMemberJoined {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: memberJoined })
  async remember({ orgId, data }: Consumed<typeof memberJoined>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `with joined as (
         insert into members (org_id, user_id, team_id, name, time_zone, joined_on, in_team_since)
         values ($1, $2, $3, $4, $5, $6, $6)
         on conflict (org_id, user_id) do nothing returning team_id
       )
       update teams t set member_count = member_count + 1 from joined where t.org_id = $1 and t.team_id = joined.team_id`,
      [orgId, data.userId, data.teamId, data.name, data.timeZone, data.joinedOn],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
