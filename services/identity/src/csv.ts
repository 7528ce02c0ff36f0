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
