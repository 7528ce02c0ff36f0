import { memberErased, organisationClosed } from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';

const tables = ['imported_workouts', 'sync_runs', 'webhook_inbox'];

/** What platforms told of members goes with them. */
@Controller()
export class ForgetImportsConsumer {
  @Consumes({ group: 'integrations.forget-imports', from: 'identity', contract: memberErased })
  async forgetImportsWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    { tx }: BatchContext,
  ): Promise<void> {
    for (const table of tables)
      await tx.query(`delete from ${table} where org_id = $1 and user_id = $2`, [orgId, data.userId]);
  }

  @Consumes({ group: 'integrations.forget-imports', from: 'identity', contract: organisationClosed })
  async forgetImportsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    for (const table of tables) await tx.query(`delete from ${table} where org_id = $1`, [orgId]);
  }
}
