import { memberErased, organisationClosed } from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';
import { forgetImportsOfMember, forgetImportsOfOrganisation } from './imports.store.ts';

/** Removes what platforms delivered about members who leave. */
@Controller()
export class DeleteImportsConsumer {
  @Consumes({ group: 'integrations.delete-imports', from: 'identity', contract: memberErased })
  async forgetImportsWhenMemberErased(
    { orgId, data }: Consumed<typeof memberErased>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetImportsOfMember(tx, { orgId, userId: data.userId });
  }

  @Consumes({ group: 'integrations.delete-imports', from: 'identity', contract: organisationClosed })
  async forgetImportsWhenOrganisationClosed(
    { orgId }: Consumed<typeof organisationClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await forgetImportsOfOrganisation(tx, orgId);
  }
}
