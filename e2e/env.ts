import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServiceName } from '@caravan/contracts/topics';

/** What attacks need to know of the instance under attack. */
export type Target = {
  readonly url: string;
  readonly services: Readonly<Record<ServiceName, string>>;
  /** Runtime role per service. */
  readonly postgres: Readonly<Record<ServiceName, string>>;
  /** The owner of all databases; a database's name goes behind it. */
  readonly postgresOwner: string;
  /** Where mails that were sent can be read. */
  readonly mail: { readonly http: string };
};

/** The instance whose journeys run; the one of `./caravan up` unless said otherwise. */
export function target(): Target {
  const file = process.env['CARAVAN_RUN_FILE'] ?? resolve(import.meta.dirname, '../.caravan/run.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Target;
}
