import { memberErased, organisationClosed } from '@caravan/contracts/identity.events';
import type { Tx } from '@caravan/event-store/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Jobs } from '@caravan/service-kit/jobs';
import { Controller, Inject } from '@nestjs/common';
import type { AccountName } from '../ports.ts';
import { enqueueRevocation } from './revoke-tokens.job.ts';
import type { TokenRow } from './sealed-tokens.ts';

type Forgotten = AccountName & TokenRow;

/** What integrations hears of members: only that they are gone. */
@Controller()
export class DirectoryConsumer {
  constructor(@Inject(Jobs) private readonly jobs: Jobs) {}

  /** An erased member's connections to fitness platforms go with the member, here and there. */
  @Consumes({ group: 'integrations.know-members', from: 'identity', contract: memberErased })
  async forgetAccountsWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    batch: BatchContext,
  ): Promise<void> {
    this.revoke(batch, await forget(batch.tx, 'org_id = $1 and user_id = $2', [orgId, data.userId]));
  }

  /** Its members were erased before; nothing of it stays. */
  @Consumes({ group: 'integrations.know-members', from: 'identity', contract: organisationClosed })
  async forgetAccountsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    batch: BatchContext,
  ): Promise<void> {
    this.revoke(batch, await forget(batch.tx, 'org_id = $1', [orgId]));
    await batch.tx.query('delete from es.requests where org_id = $1', [orgId]);
  }

  private revoke(batch: BatchContext, forgotten: readonly Forgotten[]): void {
    for (const { orgId, userId, provider, ...row } of forgotten)
      batch.afterCommit(() => enqueueRevocation(this.jobs, { orgId, userId, provider }, row));
  }
}

/** Attempts first: a connection under way comes to nothing without its own. */
async function forget(tx: Tx, whose: string, values: readonly string[]): Promise<Forgotten[]> {
  await tx.query(`delete from connect_attempts where ${whose}`, values);
  const { rows } = await tx.query<Forgotten>(
    `delete from provider_accounts where ${whose}
     returning org_id as "orgId", user_id as "userId", provider, access_token_sealed as "accessTokenSealed",
       refresh_token_sealed as "refreshTokenSealed", token_key_id as "tokenKeyId"`,
    values,
  );
  return rows;
}
