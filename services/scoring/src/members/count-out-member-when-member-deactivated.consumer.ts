import { memberDeactivated } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

/** Averages are per active member (D12); who is deactivated keeps miles and place. */
@Controller()
export class CountOutMemberWhenMemberDeactivated {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: memberDeactivated })
  async countOut({ orgId, data }: Consumed<typeof memberDeactivated>, batch: BatchContext): Promise<void> {
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'is_active = false');
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
