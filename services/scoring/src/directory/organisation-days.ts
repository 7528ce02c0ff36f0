import { addDays, daysBetween } from '@caravan/contracts/domain/time/local-days';
import { startOfOrganisationDate, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';

/** Dates of an organisation and the instants at which they begin, in order. */
export type OrganisationDays = { readonly dates: readonly string[]; readonly starts: readonly Date[] };

/** From one Monday to another, both included; every day, or Mondays alone. */
export function daysBetweenMondays(
  zones: ZoneHistory,
  { from, until, everyDays }: { readonly from: string; readonly until: string; readonly everyDays: 1 | 7 },
): OrganisationDays {
  const count = daysBetween(from, until) / everyDays + 1;
  const dates = Array.from({ length: count }, (_, nth) => addDays(from, nth * everyDays));
  return { dates, starts: dates.map((date) => startOfOrganisationDate(zones, date)) };
}

/**
 * SQL of the latest of some dates that had begun at an instant, null before the first: what `organisationDateOf` says where
 * the dates are all days. Both lists are parameters, such as `$2`.
 */
export const dateSql = (
  instant: string,
  { dates, starts }: { readonly dates: string; readonly starts: string },
): string => `(${dates}::date[])[width_bucket(${instant}, ${starts}::timestamptz[])]`;
