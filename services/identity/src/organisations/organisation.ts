import type { Decider } from '@caravan/event-store/decider';

export type OrganisationEvent = { type: 'OrganisationFounded'; data: { foundedAt: string } };

export type FoundOrganisation = { type: 'FoundOrganisation' };

export type Organisation = { is: 'absent' } | { is: 'founded' };

/** An organisation is founded once. Its name and time zone are rows. */
export const organisation: Decider<Organisation, FoundOrganisation, OrganisationEvent> = {
  category: 'organisation',
  initial: { is: 'absent' },

  decide(_command, state, { at }) {
    return state.is === 'founded' ? [] : [{ type: 'OrganisationFounded', data: { foundedAt: at.toISOString() } }];
  },

  evolve() {
    return { is: 'founded' };
  },
};
