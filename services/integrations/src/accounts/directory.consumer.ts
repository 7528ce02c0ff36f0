import { memberDeactivated, memberErased, organisationClosed } from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { forgetAttempts, forgetRequests, type Whose } from './attempts.store.ts';
import { type RevocationRef, revokeAndForget } from './pending-revocations.store.ts';
import { Revocations } from './revocations.job.ts';

/** Accounts and connections under way of members who are gone, or may act no longer. */
@Controller()
export class DirectoryConsumer {
  constructor(@Inject(Revocations) private readonly revocations: Revocations) {}

  @Consumes({ group: 'integrations.project-members', from: 'identity', contract: memberDeactivated })
  async forgetAttemptsWhenMemberDeactivated(
    { orgId, data }: Consumed<typeof memberDeactivated>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetAttempts(tx, 'org_id = $1 and user_id = $2', [orgId, data.userId]);
  }

  /** An erased member's connections to fitness platforms go with the member, here and there. */
  @Consumes({ group: 'integrations.project-members', from: 'identity', contract: memberErased })
  async forgetAccountsWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    batch: BatchContext,
  ): Promise<void> {
    await this.forget(batch, 'org_id = $1 and user_id = $2', [orgId, data.userId]);
  }

  /** Its members were erased before; nothing of it stays but what platforms have still to revoke. */
  @Consumes({ group: 'integrations.project-members', from: 'identity', contract: organisationClosed })
  async forgetAccountsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    batch: BatchContext,
  ): Promise<void> {
    await this.forget(batch, 'org_id = $1', [orgId]);
    await forgetRequests(batch.tx, orgId);
  }

  /** Attempts first: a connection under way comes to nothing without its own. */
  private async forget(batch: BatchContext, whose: Whose, values: readonly string[]): Promise<void> {
    await forgetAttempts(batch.tx, whose, values);
    const pending: readonly RevocationRef[] = await revokeAndForget(batch.tx, whose, values);
    // Not awaited: a platform that hangs holds no other member back.
    batch.afterCommit(() => pending.forEach((each) => void this.revocations.attempt(each)));
  }
}
