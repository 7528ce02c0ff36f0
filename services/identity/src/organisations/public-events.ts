import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { organisationFounded } from '@caravan/contracts/identity.events';
import type { PublicEvents } from '@caravan/event-store/public-events';
import type { OrganisationEvent } from './organisation.ts';

/** What the founder chose: it travels and lies in a row, the log never holds it. */
export type OrganisationNaming = { readonly name: string; readonly timeZone: string };

export const organisationPublicEvents: PublicEvents<OrganisationEvent, OrganisationNaming> = {
  OrganisationFounded: ({ data }, { name, timeZone }): PublicEventOf<typeof organisationFounded> => ({
    type: 'OrganisationFounded',
    version: 1,
    data: { name, timeZone, foundedAt: data.foundedAt },
  }),
};
