import type { CommandMeta } from '@caravan/event-store/event-store';

/** What concerns an organisation's teams and members stays in its order: identity's facts are keyed by it. */
export function inOrganisationOrder(meta: CommandMeta): CommandMeta {
  return { ...meta, key: meta.orgId };
}
