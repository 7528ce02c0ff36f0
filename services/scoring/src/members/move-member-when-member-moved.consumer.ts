import { memberMoved } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

/** The member counts for the new team; miles stay with the team that they were earned for (D2). */
@Controller()
export class MoveMemberWhenMemberMoved {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: memberMoved })
  async move({ orgId, data }: Consumed<typeof memberMoved>, batch: BatchContext): Promise<void> {
    // Told twice, it was the first move that counts: the team is the same from then on.
    const set = `team_id = $3, in_team_since = case when m.team_id = $3 then m.in_team_since else
      ($4::timestamptz at time zone coalesce((select time_zone from organisations where org_id = $1), 'UTC'))::date end`;
    await changeMember(batch.tx, { orgId, userId: data.userId }, set, [data.teamId, data.movedAt]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
