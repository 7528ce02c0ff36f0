import type { StreamKind, Unit } from '@caravan/event-store/event-store';
import type { Founding } from '../ports.ts';
import { organisation, type Organisation, type OrganisationCommand, type OrganisationEvent } from './organisation.ts';
import { type OrganisationNaming, organisationPublicEvents } from './public-events.ts';
import { streakRulesProjection } from './streak-rules.projection.ts';

/** The streams of organisations, for their rules and for rebuilds. */
export const organisations: StreamKind<Organisation, OrganisationCommand, OrganisationEvent, OrganisationNaming> = {
  decider: organisation,
  projections: [streakRulesProjection],
  publicEvents: organisationPublicEvents,
};

/** Founds the organisation that a unit belongs to; one that exists stays as it is. */
export const founding: Founding = {
  async found(unit: Unit, naming: { name: string; timeZone: string }): Promise<boolean> {
    const { orgId, at } = unit.meta;
    const { rowCount } = await unit.tx.query(
      `insert into organisations (org_id, name, time_zone, founded_at) values ($1, $2, $3, $4)
        on conflict (org_id) do nothing`,
      [orgId, naming.name, naming.timeZone, at],
    );
    if (rowCount === 0) return false;
    await unit.handle(
      organisations,
      orgId,
      { type: 'FoundOrganisation' },
      { ...naming, industry: null },
      {
        fresh: true,
      },
    );
    return true;
  },

  async close(unit: Unit): Promise<void> {
    const { orgId, at } = unit.meta;
    await unit.handle(
      organisations,
      orgId,
      { type: 'CloseOrganisation' },
      { name: '', timeZone: 'UTC', industry: null },
    );
    await unit.tx.query(
      `update organisations set name = '', company_name = null, employee_range = null, brand_traits = '{}', industry = '',
        logo_data_url = null, brand_colors = '{}', welcome_message = null, set_up_at = null, closed_at = $2
        where org_id = $1`,
      [orgId, at],
    );
    // Kept until they expire, so that whoever holds a code hears what became of it.
    await unit.tx.query(
      `update invites set revoked_at = coalesce(revoked_at, $2), domains = '{}', team_id = null where org_id = $1`,
      [orgId, at],
    );
    await unit.tx.query('delete from es.requests where org_id = $1', [orgId]);
  },
};
