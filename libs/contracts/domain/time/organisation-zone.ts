import { addDays, localDateOf, startOfDate, weekStartOf } from './local-days.ts';

/** From this date on, a Monday, the organisation's dates are those of `timeZone`. */
export type ZoneChange = { readonly from: string; readonly timeZone: string };

/** Time zones of an organisation: the one it was founded in, and changes in the order of their dates (ADR 0099). */
export type ZoneHistory = { readonly first: string; readonly changes: readonly ZoneChange[] };

/** A change leaves this much time before its Monday, so that every service knows it when the Monday begins. */
const noticeMilliseconds = 3_600_000;

export const onlyZone = (timeZone: string): ZoneHistory => ({ first: timeZone, changes: [] });

/** YYYY-MM-DD (D10). The week before a change is shortened or prolonged until the new zone's Monday begins. */
export function organisationDateOf(zones: ZoneHistory, at: Date): string {
  const nth = changeInForce(zones, at);
  const date = localDateOf(at, zoneAfter(zones, nth));
  const next = zones.changes[nth + 1];
  return next && date >= next.from ? addDays(next.from, -1) : date;
}

/** Monday of the organisation's week (D10). */
export function organisationWeekOf(zones: ZoneHistory, at: Date): string {
  return weekStartOf(organisationDateOf(zones, at));
}

/** The time zone that the organisation's clocks show. */
export function organisationZoneAt(zones: ZoneHistory, at: Date): string {
  return zoneAfter(zones, changeInForce(zones, at));
}

/** The first instant of a date; of a date that a change leaves out, that of the next one. */
export function startOfOrganisationDate(zones: ZoneHistory, localDate: string): Date {
  const nth = zones.changes.findLastIndex(({ from }) => from <= localDate);
  const starts = zones.changes.slice(nth + 1).map(({ from, timeZone }) => startOfDate(from, timeZone).getTime());
  return new Date(Math.min(startOfDate(localDate, zoneAfter(zones, nth)).getTime(), ...starts));
}

/** The last change, as long as it has not begun. */
export function comingChange(zones: ZoneHistory, at: Date): ZoneChange | null {
  const last = zones.changes.at(-1);
  return last && last.from > organisationDateOf(zones, at) ? last : null;
}

/**
 * The history with another zone, from the first Monday that has begun in neither zone. It replaces a change that is
 * still to come; choosing the present zone again cancels that change. Dates of instants until `at` stay as they are.
 */
export function withTimeZone(zones: ZoneHistory, timeZone: string, at: Date): ZoneHistory {
  if (timeZone === zoneAfter(zones, zones.changes.length - 1)) return zones;
  const soon = new Date(at.getTime() + noticeMilliseconds);
  const settled = zones.changes.filter((change, nth) => hasBegun(change, zoneAfter(zones, nth - 1), soon));
  const present = zoneAfter(zones, settled.length - 1);
  if (timeZone === present) return { first: zones.first, changes: settled };
  const nextMondays = [present, timeZone].map((zone) => addDays(weekStartOf(localDateOf(soon, zone)), 7));
  const from = nextMondays.reduce((one, other) => (one > other ? one : other));
  const kept = settled.filter((change) => change.from < from);
  return { first: zones.first, changes: [...kept, { from, timeZone }] };
}

/** Once the Monday has begun in the earlier zone, its hours count to the week before: the change is no longer withdrawn. */
function hasBegun({ from, timeZone }: ZoneChange, earlierZone: string, at: Date): boolean {
  return localDateOf(at, timeZone) >= from || localDateOf(at, earlierZone) >= from;
}

/** Index in `changes`; -1 before the first. */
function changeInForce({ changes }: ZoneHistory, at: Date): number {
  return changes.findLastIndex(({ from, timeZone }) => localDateOf(at, timeZone) >= from);
}

const zoneAfter = ({ first, changes }: ZoneHistory, nth: number): string => changes[nth]?.timeZone ?? first;
