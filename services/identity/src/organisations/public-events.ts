import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type {
  companySetUp,
  organisationClosed,
  organisationFounded,
  organisationTimeZoneChanged,
  streakFreezesSwitched,
} from '@caravan/contracts/events/identity.events';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { OrganisationEvent } from './organisation.ts';

/** What its people chose: it travels and lies in a row, the log never holds it. */
export type OrganisationNaming = {
  readonly name: string;
  /** In which the organisation was founded. */
  readonly timeZone: string;
  readonly industry: string | null;
};

export const organisationPublicEvents: PublicEvents<OrganisationEvent, OrganisationNaming> = {
  OrganisationFounded: ({ data }, { name, timeZone }): PublicEventOf<typeof organisationFounded> => ({
    type: 'OrganisationFounded',
    version: 1,
    data: { name, timeZone, foundedAt: data.foundedAt },
  }),
  CompanySetUp: ({ data }, { name, industry }): PublicEventOf<typeof companySetUp> => ({
    type: 'CompanySetUp',
    version: 1,
    data: { name, industry, ...data, brandTraits: [...data.brandTraits] },
  }),
  StreakFreezesSwitched: ({ data }): PublicEventOf<typeof streakFreezesSwitched> => ({
    type: 'StreakFreezesSwitched',
    version: 1,
    data,
  }),
  OrganisationTimeZoneChanged: ({ data }): PublicEventOf<typeof organisationTimeZoneChanged> => ({
    type: 'OrganisationTimeZoneChanged',
    version: 1,
    data: { zones: { first: data.zones.first, changes: [...data.zones.changes] }, changedAt: data.changedAt },
  }),
  OrganisationClosed: ({ data }): PublicEventOf<typeof organisationClosed> => ({
    type: 'OrganisationClosed',
    version: 1,
    data,
  }),
};
