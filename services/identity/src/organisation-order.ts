import { organisationKey, type OrganisationKey } from '@caravan/contracts/fact-key';
import type { CommandMeta } from '@caravan/event-store/event-store';

/** What concerns an organisation's teams and members stays in its order: identity's facts are keyed by it. */
export function inOrganisationOrder(meta: CommandMeta): CommandMeta<OrganisationKey> {
  return { ...meta, key: organisationKey(meta.orgId) };
}
