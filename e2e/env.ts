import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServiceName } from '@caravan/contracts/events/topics';

export type Target = {
  readonly url: string;
  readonly services: Readonly<Record<ServiceName, string>>;
  readonly postgres: Readonly<Record<ServiceName, string>>;
  /** Of all databases; a database's name goes behind it. */
  readonly postgresOwner: string;
  /** What processes of the instance show each other. */
  readonly serviceCredential: string;
  readonly mail: { readonly http: string };
  /** Where fitness platforms are simulated. */
  readonly platforms: { readonly strava?: string; readonly googleHealth?: string };
};

export const runFile = (): string =>
  process.env['CARAVAN_RUN_FILE'] ?? resolve(import.meta.dirname, '../.caravan/run.json');

export function target(): Target {
  return JSON.parse(readFileSync(runFile(), 'utf8')) as Target;
}
