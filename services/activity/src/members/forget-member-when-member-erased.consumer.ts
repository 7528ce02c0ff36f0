import { memberErased } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** Everything a member typed goes, and that there was this member; of the logs stay ids and numbers. */
@Controller()
export class ForgetMemberWhenMemberErased {
  @Consumes({ group: 'activity.know-members', from: 'identity', contract: memberErased })
  async forget({ orgId, data: { userId } }: Consumed<typeof memberErased>, { tx }: BatchContext): Promise<void> {
    // A log under way is waited for, so that its texts go too; later ones find no member.
    await tx.query('select es.lock_keys($1)', [[userId]]);
    await Promise.all([
      tx.query('delete from members where org_id = $1 and user_id = $2', [orgId, userId]),
      tx.query('delete from movement_texts where org_id = $1 and user_id = $2', [orgId, userId]),
      tx.query('delete from frequent_activities where org_id = $1 and user_id = $2', [orgId, userId]),
      tx.query('delete from es.requests where org_id = $1 and owner = $2', [orgId, userId]),
    ]);
  }
}
