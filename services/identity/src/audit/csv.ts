import type { AuditEntry } from '@caravan/contracts/http/audit';
import { stringify } from 'csv-stringify/sync';

/** A spreadsheet must neither run a formula that somebody typed nor take UTF-8 for something else. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[], columns = columnsOf(rows)): string {
  return stringify([...rows], {
    header: true,
    columns,
    bom: true,
    escape_formulas: true,
    quote_record_delimiter: true,
    cast: { boolean: String, date: (date) => date.toISOString(), object: (value) => JSON.stringify(value) },
  });
}

function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The columns of the file, in this order, also where it has no rows. */
export const fileColumns = ['at', 'who', 'act', 'subject', 'from', 'to', 'count', 'device'];

export function fileRowOf(entry: AuditEntry): Readonly<Record<string, unknown>> {
  const { at, actor, act, subject, from, to, count, device } = entry;
  return { at, who: actor?.name ?? 'The operator', act, subject, from, to, count, device };
}
