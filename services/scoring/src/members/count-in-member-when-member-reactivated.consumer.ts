import { memberReactivated } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

/** Counts for the averages of the team again (D12). */
@Controller()
export class CountInMemberWhenMemberReactivated {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: memberReactivated })
  async countIn({ orgId, data }: Consumed<typeof memberReactivated>, batch: BatchContext): Promise<void> {
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'is_active = true');
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
