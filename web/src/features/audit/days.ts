import type { AuditEntry } from '@caravan/contracts/http/audit';

export type Day = { readonly on: string; readonly entries: readonly AuditEntry[] };

/** Entries by the day they fall on, in the order in which they come. @param dayOf the local date of an instant */
export function daysOf(entries: readonly AuditEntry[], dayOf: (at: string) => string): Day[] {
  return [...Map.groupBy(entries, ({ at }) => dayOf(at))].map(([on, ofDay]) => ({ on, entries: ofDay }));
}
