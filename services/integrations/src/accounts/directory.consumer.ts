import { memberErased, organisationClosed } from '@caravan/contracts/identity.events';
import type { Tx } from '@caravan/event-store/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Controller, Inject } from '@nestjs/common';
import { Revocations } from './revoke-tokens.job.ts';
import type { HeldAccount } from './sealed-tokens.ts';

/** What integrations hears of members: only that they are gone. */
@Controller()
export class DirectoryConsumer {
  constructor(@Inject(Revocations) private readonly revocations: Revocations) {}

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

  private revoke(batch: BatchContext, forgotten: readonly HeldAccount[]): void {
    for (const held of forgotten) batch.afterCommit(() => this.revocations.revokeSoon(held));
  }
}

/** Attempts first: a connection under way comes to nothing without its own. */
async function forget(tx: Tx, whose: string, values: readonly string[]): Promise<HeldAccount[]> {
  await tx.query(`delete from connect_attempts where ${whose}`, values);
  const { rows } = await tx.query<HeldAccount>(
    `delete from provider_accounts where ${whose}
     returning org_id as "orgId", user_id as "userId", provider, provider_user_id as "providerUserId",
       connected_at as "connectedAt", access_token_sealed as "accessTokenSealed",
       refresh_token_sealed as "refreshTokenSealed", token_key_id as "tokenKeyId"`,
    values,
  );
  return rows;
}
