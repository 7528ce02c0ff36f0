import { buffer } from 'node:stream/consumers';
import type { MyData } from '@caravan/contracts/http/my-data';
import { ZipFile } from 'yazl';
import { csvOf } from '../csv.ts';

/** What each service holds, by the service's name. */
export type Collected = Readonly<Record<string, MyData['files']>>;

type Rows = MyData['files'][string];

/** One zip: per service a folder, per table a JSON file with everything and a CSV file for a spreadsheet. */
export async function zipOf(collected: Collected, about: { name: string; at: Date }): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime: about.at });
  const entries = Object.entries(collected).flatMap(([service, files]) =>
    Object.entries(files).map(([name, rows]) => ({ path: `${service}/${safe(name)}`, rows })),
  );
  add('README.txt', readme(entries, about));
  for (const { path, rows } of entries) {
    add(`${path}.json`, `${JSON.stringify(rows, null, 2)}\n`);
    add(`${path}.csv`, csvOf(rows));
  }
  zip.end();
  return buffer(zip.outputStream);
}

function safe(name: string): string {
  return name.replaceAll(/[^a-z0-9-]/gi, '-');
}

function readme(entries: readonly { path: string; rows: Rows }[], { name, at }: { name: string; at: Date }): string {
  const list = entries.map(({ path, rows }) => `  ${path}.json, .csv  (${rows.length})`);
  return [
    `Everything Caravan held about ${name} on ${at.toISOString()}.`,
    'Each table comes twice: as JSON, complete, and as CSV for a spreadsheet. Times are UTC, miles are miles.',
    'In CSV files, text that a spreadsheet would take for a formula has an apostrophe before it.',
    'Your password is kept only as a hash that cannot be turned back, so it is not in here.',
    'Tables, with the number of their rows:',
    ...[list.join('\n'), ''],
  ].join('\n\n');
}
