import { organisationClosed } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** Its members were erased before; nothing of it stays. */
@Controller()
export class ForgetAccountsWhenOrganisationClosed {
  @Consumes({ group: 'integrations.know-members', from: 'identity', contract: organisationClosed })
  async forget({ orgId }: Consumed<typeof organisationClosed>, { tx }: BatchContext): Promise<void> {
    await Promise.all([
      tx.query('delete from provider_accounts where org_id = $1', [orgId]),
      tx.query('delete from es.requests where org_id = $1', [orgId]),
    ]);
  }
}
