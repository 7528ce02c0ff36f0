import { withTimeZone, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Decider } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';

export type OrganisationEvent =
  | { type: 'OrganisationFounded'; data: { foundedAt: string } }
  | { type: 'CompanySetUp'; data: { employeeRange: string; brandTraits: readonly string[]; setUpAt: string } }
  | { type: 'StreakFreezesSwitched'; data: { areOn: boolean; switchedAt: string } }
  | { type: 'OrganisationTimeZoneChanged'; data: { zones: ZoneHistory; changedAt: string } }
  | { type: 'OrganisationClosed'; data: { closedAt: string } };

export type OrganisationCommand =
  FoundOrganisation | SetUpCompany | SwitchStreakFreezes | ChangeTimeZone | CloseOrganisation;

export type FoundOrganisation = { type: 'FoundOrganisation' };

export type SetUpCompany = {
  type: 'SetUpCompany';
  employeeRange: string;
  brandTraits: readonly string[];
  /** Whether it says anything that the set-up before did not; names are rows. */
  hasNews: boolean;
};

/** Freezes hold streaks over missed days unless an admin switches them off (D11). */
export type SwitchStreakFreezes = { type: 'SwitchStreakFreezes'; areOn: boolean };

/** @param zones those of now, which are a row */
export type ChangeTimeZone = { type: 'ChangeTimeZone'; zones: ZoneHistory; timeZone: string };

export type CloseOrganisation = { type: 'CloseOrganisation' };

export type Organisation =
  { is: 'absent' | 'closed'; hasStreakFreezes: true } | { is: 'founded' | 'set-up'; hasStreakFreezes: boolean };

/** An organisation is founded once and set up as often as an admin likes. Its name and time zones are rows. */
export const organisation: Decider<Organisation, OrganisationCommand, OrganisationEvent> = {
  category: 'organisation',
  // Stryker disable next-line BooleanLiteral: founding it says so again.
  initial: { is: 'absent', hasStreakFreezes: true },

  decide(command, state, { at }) {
    switch (command.type) {
      case 'FoundOrganisation':
        return state.is === 'absent' ? [{ type: 'OrganisationFounded', data: { foundedAt: at.toISOString() } }] : [];
      case 'SetUpCompany': {
        const { employeeRange, brandTraits, hasNews } = command;
        assertOpen(state);
        if (state.is === 'set-up' && !hasNews) return [];
        return [{ type: 'CompanySetUp', data: { employeeRange, brandTraits, setUpAt: at.toISOString() } }];
      }
      case 'SwitchStreakFreezes': {
        const { areOn } = command;
        assertOpen(state);
        if (state.hasStreakFreezes === areOn) return [];
        return [{ type: 'StreakFreezesSwitched', data: { areOn, switchedAt: at.toISOString() } }];
      }
      case 'ChangeTimeZone': {
        assertOpen(state);
        const zones = withTimeZone(command.zones, command.timeZone, at);
        if (zones === command.zones) return [];
        return [{ type: 'OrganisationTimeZoneChanged', data: { zones, changedAt: at.toISOString() } }];
      }
      case 'CloseOrganisation':
        if (state.is === 'absent') throw notFound();
        return state.is === 'closed' ? [] : [{ type: 'OrganisationClosed', data: { closedAt: at.toISOString() } }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'OrganisationFounded':
        // Stryker disable next-line StringLiteral: no rule asks for more than that it is open and not set up.
        return { is: 'founded', hasStreakFreezes: true };
      case 'CompanySetUp':
        return { is: 'set-up', hasStreakFreezes: state.hasStreakFreezes };
      case 'StreakFreezesSwitched':
        // Stryker disable next-line StringLiteral: no rule asks for more than that it is open and not set up.
        return { is: state.is === 'set-up' ? 'set-up' : 'founded', hasStreakFreezes: event.data.areOn };
      case 'OrganisationTimeZoneChanged':
        return state;
      case 'OrganisationClosed':
        // Stryker disable next-line BooleanLiteral: an organisation that is closed has no streaks.
        return { is: 'closed', hasStreakFreezes: true };
    }
  },
};

function assertOpen({ is }: Organisation): void {
  if (is === 'absent' || is === 'closed') throw notFound();
}

function notFound(): Rejected {
  return new Rejected('company/not-found', 'not-found', 'This organisation does not exist');
}
