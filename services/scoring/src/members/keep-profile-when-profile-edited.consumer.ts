import { profileEdited } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

/** Boards show name and picture as they are now, streaks are told on the member's date. */
@Controller()
export class KeepProfileWhenProfileEdited {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: profileEdited })
  async keep({ orgId, data }: Consumed<typeof profileEdited>, batch: BatchContext): Promise<void> {
    const set = 'name = $3, photo_url = $4, time_zone = $5';
    await changeMember(batch.tx, { orgId, userId: data.userId }, set, [data.name, data.profilePhotoUrl, data.timeZone]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
