import { memberErased, organisationClosed } from '@caravan/contracts/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Controller } from '@nestjs/common';

/** What integrations hears of members: only that they are gone. */
@Controller()
export class DirectoryConsumer {
  /** An erased member's connections to fitness platforms go with the member. */
  @Consumes({ group: 'integrations.know-members', from: 'identity', contract: memberErased })
  async forgetAccountsWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    batch: BatchContext,
  ): Promise<void> {
    const whose = [orgId, data.userId];
    await Promise.all([
      // First: a connection under way comes to nothing without it.
      batch.tx.query('delete from connect_attempts where org_id = $1 and user_id = $2', whose),
      batch.tx.query('delete from provider_accounts where org_id = $1 and user_id = $2', whose),
    ]);
  }

  /** Its members were erased before; nothing of it stays. */
  @Consumes({ group: 'integrations.know-members', from: 'identity', contract: organisationClosed })
  async forgetAccountsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await Promise.all([
      tx.query('delete from connect_attempts where org_id = $1', [orgId]),
      tx.query('delete from provider_accounts where org_id = $1', [orgId]),
      tx.query('delete from es.requests where org_id = $1', [orgId]),
    ]);
  }
}
