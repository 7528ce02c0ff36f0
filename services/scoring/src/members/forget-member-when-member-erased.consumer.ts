import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import { formerMemberName, memberErased } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { changeMember } from './change-member.query.ts';

/** Name, picture and what the member called activities go; miles, ranks and totals stay as they are. */
@Controller()
export class ForgetMemberWhenMemberErased {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: memberErased })
  async forget({ orgId, data: { userId } }: Consumed<typeof memberErased>, batch: BatchContext): Promise<void> {
    const { tx } = batch;
    // Credits under way are waited for: they wrote names before they knew; later ones find the member erased.
    await tx.query('select es.lock_keys($1)', [[userId]]);
    const set = `name = $3, photo_url = null, time_zone = null, is_active = false, is_erased = true`;
    await changeMember(tx, { orgId, userId }, set, [formerMemberName]);
    await tx.query(
      `update credited_movements set activity_type = $3
       where org_id = $1 and user_id = $2 and activity_type <> all($4::text[])`,
      [orgId, userId, forgottenActivityName, productActivities],
    );
    batch.afterCommit(() => this.live.publish(orgId, ['stats', 'board']));
  }
}
