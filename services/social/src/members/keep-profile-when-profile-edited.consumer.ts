import { profileEdited } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Posts show name and picture as they are now, earlier posts too. */
@Controller()
export class KeepProfileWhenProfileEdited {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.know-members', from: 'identity', contract: profileEdited })
  async keep({ orgId, data }: Consumed<typeof profileEdited>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update members set name = $3, photo_url = $4 where org_id = $1 and user_id = $2', [
      orgId,
      data.userId,
      data.name,
      data.profilePhotoUrl,
    ]);
    const own = { userIds: [data.userId], kinds: ['feed'] } as const;
    batch.afterCommit(() => this.live.publish(orgId, ['feed'], { persons: own }));
  }
}
