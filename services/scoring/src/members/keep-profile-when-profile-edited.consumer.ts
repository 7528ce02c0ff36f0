import { profileEdited } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

/** Boards show name and picture as they are now. */
@Controller()
export class KeepProfileWhenProfileEdited {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: profileEdited })
  async keep({ orgId, data }: Consumed<typeof profileEdited>, batch: BatchContext): Promise<void> {
    await changeMember(batch.tx, { orgId, userId: data.userId }, 'name = $3, photo_url = $4', [
      data.name,
      data.profilePhotoUrl,
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
