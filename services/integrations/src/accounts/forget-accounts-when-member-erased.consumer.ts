import { memberErased } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** An erased member's connections to fitness platforms go with the member. */
@Controller()
export class ForgetAccountsWhenMemberErased {
  @Consumes({ group: 'integrations.know-members', from: 'identity', contract: memberErased })
  async forget({ orgId, data }: Consumed<typeof memberErased>, batch: BatchContext): Promise<void> {
    await batch.tx.query('delete from provider_accounts where org_id = $1 and user_id = $2', [orgId, data.userId]);
  }
}
