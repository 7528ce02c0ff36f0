import type { Decider } from '@caravan/event-store/decider';
import { Rejected } from '@caravan/event-store/rejected';

export type OrganisationEvent =
  | { type: 'OrganisationFounded'; data: { foundedAt: string } }
  | { type: 'CompanySetUp'; data: { employeeRange: string; brandTraits: readonly string[]; setUpAt: string } };

export type OrganisationCommand = FoundOrganisation | SetUpCompany;

export type FoundOrganisation = { type: 'FoundOrganisation' };

export type SetUpCompany = {
  type: 'SetUpCompany';
  employeeRange: string;
  brandTraits: readonly string[];
  /** Whether it says anything that the set-up before did not; names are rows. */
  hasNews: boolean;
};

export type Organisation = { is: 'absent' } | { is: 'founded' } | { is: 'set-up' };

/** An organisation is founded once and set up as often as an admin likes. Its name and time zone are rows. */
export const organisation: Decider<Organisation, OrganisationCommand, OrganisationEvent> = {
  category: 'organisation',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    switch (command.type) {
      case 'FoundOrganisation':
        return state.is === 'absent' ? [{ type: 'OrganisationFounded', data: { foundedAt: at.toISOString() } }] : [];
      case 'SetUpCompany': {
        const { employeeRange, brandTraits, hasNews } = command;
        if (state.is === 'absent')
          throw new Rejected('company/not-found', 'not-found', 'This organisation does not exist');
        if (state.is === 'set-up' && !hasNews) return [];
        return [{ type: 'CompanySetUp', data: { employeeRange, brandTraits, setUpAt: at.toISOString() } }];
      }
    }
  },

  evolve(_state, event) {
    switch (event.type) {
      case 'OrganisationFounded':
        return { is: 'founded' };
      case 'CompanySetUp':
        return { is: 'set-up' };
    }
  },
};
