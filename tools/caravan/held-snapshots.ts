import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { deadRows, oldestSnapshot } from '@caravan/messaging/dead-rows';
import type { DeadRows, OldestSnapshot } from '@caravan/messaging/dead-rows';
import { Pool } from 'pg';
import type { RunFile } from './run-file.ts';

/** Younger ones are everyday: a page, a batch, a rebuild's step. */
const worthTellingSeconds = 60;

/** A snapshot that somebody holds for long in a service's database, and the deleted rows that lie there. */
export type HeldSnapshot = OldestSnapshot & { readonly service: ServiceName; readonly heldBack: readonly DeadRows[] };

/** The snapshots of a running instance that are held for a minute, or as long as is said, or longer. */
export async function heldSnapshots(
  { postgres }: Pick<RunFile, 'postgres'>,
  atLeastSeconds = worthTellingSeconds,
): Promise<HeldSnapshot[]> {
  const all = await Promise.all(
    serviceNames.map(async (service) => ({ service, ...(await lookAt(postgres[service])) })),
  );
  return all.flatMap(({ service, oldest, rows }) =>
    oldest && oldest.ageSeconds >= atLeastSeconds ? [{ service, ...oldest, heldBack: rows }] : [],
  );
}

/** What `./caravan doctor` says of one. */
export function toldOf({ application, role, pid, state, ageSeconds, heldBack: tables }: HeldSnapshot): string {
  const who = `${application || 'a session without a name'} (${role}, pid ${pid}, ${state})`;
  const since = `${Math.floor(ageSeconds / 60)} min`;
  const what = tables.slice(0, 5).map(({ table, rows }) => `${table} ${rows}`);
  const rows = what.length > 0 ? `; deleted rows that cannot go: ${what.join(', ')}` : '';
  return `${who} has held a snapshot for ${since}${rows}; see docs/operating.md`;
}

async function lookAt(connectionString: string | undefined) {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 3_000, max: 1 });
  try {
    return { oldest: await oldestSnapshot(pool), rows: await deadRows(pool, 1_000) };
  } finally {
    await pool.end();
  }
}
