import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import { formerMemberName, memberErased } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Posts stay, told by a former member: without name, picture, caption and what the member called the activity. */
@Controller()
export class ForgetMemberWhenMemberErased {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'social.know-members', from: 'identity', contract: memberErased })
  async forget({ orgId, data: { userId } }: Consumed<typeof memberErased>, batch: BatchContext): Promise<void> {
    const { tx } = batch;
    await tx.query('select lock_erasing($1)', [orgId]);
    await Promise.all([
      tx.query('update members set name = $3, photo_url = null, is_erased = true where org_id = $1 and user_id = $2', [
        orgId,
        userId,
        formerMemberName,
      ]),
      tx.query(
        `update posts set caption = null,
           activity_type = case when activity_type = any($4::text[]) then activity_type else $3 end
         where org_id = $1 and user_id = $2`,
        [orgId, userId, forgottenActivityName, productActivities],
      ),
    ]);
    batch.afterCommit(() => this.live.publish(orgId, ['feed']));
  }
}
