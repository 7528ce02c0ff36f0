import type { AuditEntry } from '@caravan/contracts/http/audit';

/** The columns of the file, in this order, also where it has no rows. */
export const fileColumns = ['at', 'who', 'act', 'subject', 'from', 'to', 'count', 'device'];

/** An entry as a row of the file. Instants are UTC. */
export function fileRowOf(entry: AuditEntry): Readonly<Record<string, unknown>> {
  const { at, actor, act, subject, from, to, count, device } = entry;
  return { at, who: actor?.name ?? 'The operator', act, subject, from, to, count, device };
}
