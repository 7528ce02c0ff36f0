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
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'team_id = $3', [data.teamId]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
