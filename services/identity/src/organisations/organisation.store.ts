import { defaultBranding } from '@caravan/contracts/domain/branding';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import type { OrganisationKey } from '@caravan/contracts/events/fact-key';
import type { Branding } from '@caravan/contracts/http/accounts';
import type { Company, CompanySetupRequest, StreakRule } from '@caravan/contracts/http/organisations';
import { comingChange, organisationZoneAt, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { CommandMeta, StreamKind, Tx, Unit } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Recorded } from '@caravan/event-store/core/projection';
import { Rejected } from '@caravan/kernel/rejected';
import { refuseStale } from '@caravan/service-kit/http/if-match.decorator';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { recordAct } from '../audit/index.ts';
import { streakRulesProjection } from './organisation.projection.ts';
import { organisation } from './organisation.ts';
import type { Organisation, OrganisationCommand, OrganisationEvent } from './organisation.ts';
import { organisationPublicEvents } from './public-events.ts';
import type { OrganisationNaming } from './public-events.ts';
import { zonesSql } from './organisation-zones.ts';

export const organisations: StreamKind<Organisation, OrganisationCommand, OrganisationEvent, OrganisationNaming> = {
  decider: organisation,
  projections: [streakRulesProjection],
  publicEvents: organisationPublicEvents,
};

/** False when it exists already. */
export async function foundOrganisation(unit: Unit, naming: { name: string; timeZone: string }): Promise<boolean> {
  const { orgId, at } = unit.meta;
  const { rowCount } = await unit.tx.query(
    `insert into organisations (org_id, name, time_zone, founded_at) values ($1, $2, $3, $4)
      on conflict (org_id) do nothing`,
    [orgId, naming.name, naming.timeZone, at],
  );
  if (rowCount === 0) return false;
  await unit.create(organisations, orgId, { type: 'FoundOrganisation' }, { ...naming, industry: null });
  return true;
}

/** For good, once nobody is in it: no word of it stays, its invites are void. */
export async function closeOrganisation(unit: Unit): Promise<void> {
  const { orgId, at } = unit.meta;
  await unit.handle(organisations, orgId, { type: 'CloseOrganisation' }, { name: '', timeZone: 'UTC', industry: null });
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
}
/** Identity's facts are keyed by organisation, so that teams and members stay in its order. */
export function inOrganisationOrder(meta: CommandMeta): CommandMeta<OrganisationKey> {
  return { ...meta, key: organisationKey(meta.orgId) };
}

type CompanyRow = Omit<Company, 'setUpAt' | 'welcomeMessage' | 'timeZone' | 'comingTimeZone'> & {
  readonly setUpAt: Date | null;
  readonly welcomeMessage: string | null;
  readonly zones: ZoneHistory;
};

const readCompany = `select name as company_name, employee_range, brand_traits,
    industry, logo_data_url as logo_url, brand_colors, set_up_at,
    welcome_message, ${zonesSql} as zones
  from organisations o where org_id = $1`;

export async function companyOf(pool: Pool, orgId: string, at: Date): Promise<Company> {
  return companyFrom(existingRow((await tenantQuery<CompanyRow>(pool, orgId, readCompany, [orgId])).rows), at);
}

export type CompanyToSetUp = Omit<CompanySetupRequest, 'logoUrl'> & {
  readonly logo: string | null | undefined;
};

/** Tells the others when it says anything new. @param seen the version that the caller has seen */
export async function setUpCompany(unit: Unit, company: CompanyToSetUp, seen: string | undefined): Promise<Company> {
  const { orgId, at } = unit.meta;
  await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
  const before = await companyRow(unit.tx, orgId);
  refuseStale(seen, companyFrom(before, at));
  const { companyName: name, employeeRange, brandTraits, industry = before.industry, brandColors } = company;
  const logo = company.logo === undefined ? before.logoUrl : company.logo;
  const welcomeMessage = company.welcomeMessage ?? before.welcomeMessage;
  const hasNews =
    name !== before.companyName ||
    employeeRange !== before.employeeRange ||
    industry !== before.industry ||
    brandTraits.join() !== before.brandTraits.join();
  await unit.tx.query(
    `update organisations set name = $2, company_name = $2, employee_range = $3, brand_traits = $4, industry = $5,
      logo_data_url = $6, brand_colors = $7, welcome_message = nullif($8, ''), set_up_at = coalesce(set_up_at, $9)
      where org_id = $1`,
    [orgId, name, employeeRange, brandTraits, industry, logo, brandColors, welcomeMessage, at],
  );
  const naming = { name, timeZone: before.zones.first, industry: industry || null };
  const setUp = { type: 'SetUpCompany', employeeRange, brandTraits, hasNews } as const;
  const { events } = await unit.handle(organisations, orgId, setUp, naming);
  if (events.length > 0) await recordAct(unit, 'company.set-up');
  const isBranded =
    logo !== before.logoUrl ||
    brandColors.join() !== before.brandColors.join() ||
    (welcomeMessage ?? '') !== (before.welcomeMessage ?? '');
  if (isBranded) await recordAct(unit, 'company.branded');
  if (company.timeZone !== undefined) await changeTimeZone(unit, company.timeZone, before.zones, naming);
  return companyFrom(await companyRow(unit.tx, orgId), at);
}

async function changeTimeZone(unit: Unit, timeZone: string, zones: ZoneHistory, naming: OrganisationNaming) {
  const { orgId } = unit.meta;
  const { events } = await unit.handle(organisations, orgId, { type: 'ChangeTimeZone', zones, timeZone }, naming);
  for (const { type, data } of events) {
    if (type !== 'OrganisationTimeZoneChanged') continue;
    const values = [orgId, JSON.stringify(data.zones.changes)];
    await unit.tx.query('update organisations set time_zone_changes = $2 where org_id = $1', values);
    await recordAct(unit, 'company.time-zone', { text: timeZone });
  }
}

/** Tells the others when that is new (D11). */
export async function switchStreakFreezes(unit: Unit, areOn: boolean): Promise<StreakRule> {
  const { orgId } = unit.meta;
  await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
  const { companyName: name, zones, industry } = await companyRow(unit.tx, orgId);
  const command = { type: 'SwitchStreakFreezes', areOn } as const;
  const naming = { name, timeZone: zones.first, industry: industry || null };
  const { state, events } = await unit.handle(organisations, orgId, command, naming);
  if (events.length > 0) await recordAct(unit, areOn ? 'company.freezes-on' : 'company.freezes-off');
  return { hasFreezes: state.hasStreakFreezes };
}

/** Until it was set up: its own name in the default colour (3.4, D39). */
export async function brandingOf(pool: Pool, orgId: string): Promise<Branding> {
  type Stored = { [Key in keyof Required<Branding>]: Branding[Key] | null } & { name: string };
  const { rows } = await tenantQuery<Stored>(
    pool,
    orgId,
    `select name, brand_colors[1] as primary_color, brand_colors[2] as secondary_color, logo_data_url as logo_url, welcome_message
      from organisations where org_id = $1`,
    [orgId],
  );
  const [row] = rows;
  return {
    primaryColor: row?.primaryColor ?? defaultBranding.primaryColor,
    ...(row?.secondaryColor && { secondaryColor: row.secondaryColor }),
    welcomeMessage: row?.welcomeMessage ?? defaultBranding.welcomeMessage,
    name: row?.name ?? defaultBranding.name,
    logoUrl: row?.logoUrl ?? defaultBranding.logoUrl,
  };
}

async function companyRow(tx: Tx, orgId: string): Promise<CompanyRow> {
  return existingRow((await tx.query<CompanyRow>(readCompany, [orgId])).rows);
}

function existingRow([row]: readonly CompanyRow[]): CompanyRow {
  if (!row) throw new Rejected('company/not-found', 'not-found', 'This organisation does not exist');
  return row;
}

function companyFrom({ welcomeMessage, zones, ...row }: CompanyRow, at: Date): Company {
  return {
    ...row,
    timeZone: organisationZoneAt(zones, at),
    comingTimeZone: comingChange(zones, at),
    welcomeMessage: welcomeMessage ?? defaultBranding.welcomeMessage,
    setUpAt: row.setUpAt?.toISOString() ?? null,
  };
}

/** How organisations are called now, for those who are told of them again. */
export async function namingOfOrganisations(
  tx: Tx,
  events: readonly Recorded<OrganisationEvent>[],
): Promise<OrganisationNaming[]> {
  const { rows } = await tx.query<OrganisationNaming & { orgId: string }>(
    `select org_id, name, time_zone, nullif(industry, '') as industry
     from organisations where org_id = any($1::uuid[])`,
    [events.map(({ orgId }) => orgId)],
  );
  const found = new Map(rows.map(({ orgId, ...naming }) => [orgId, naming]));
  return events.map(({ orgId }) => found.get(orgId) ?? { name: '', timeZone: 'UTC', industry: null });
}
