import pg from 'pg';
import { BoundedPool, type PoolBounds } from './bounded-pool.ts';
import { Client } from './client.ts';
import type { Tx } from '../core/event-store.ts';
import { watchSilence } from './silent-connections.ts';
import { inTransaction, type OpenTransaction, Scope, type Answered } from './open-transaction.ts';
import { openForWriting } from './unit-transaction.ts';

export type PoolOptions = {
  readonly max?: number;
  /** How long a caller waits for a connection before the database counts as away; 5,000 unless said otherwise. */
  readonly acquireTimeoutMillis?: number;
  readonly searchPath?: readonly string[];
  /** For requests, which somebody waits for: consumers, relays and rebuilds try again for ever instead. */
  readonly bounds?: PoolBounds;
  /** A connection in use on which PostgreSQL sends nothing for so long is replaced; 15,000 unless said otherwise. */
  readonly silenceMilliseconds?: number;
};

// Longer than `idle_in_transaction_session_timeout`: a connection silent for this long waits for an answer.
const silenceMilliseconds = 15_000;

// Positions and counts stay below 2^53, so they come as numbers; a date has no zone, so it stays text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, String);

/**
 * Statements are pipelined: what is issued together costs one round trip. A transaction left idle for 10 s is ended, and
 * so is a connection that keeps silent: no statement may take longer than that without sending a row.
 */
export function createPool(databaseUrl: string, options: PoolOptions = {}): pg.Pool {
  const settings: pg.PoolConfig = {
    Client,
    connectionString: databaseUrl,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.acquireTimeoutMillis ?? 5_000,
    idleTimeoutMillis: 60_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types,
    options: Object.entries(settingsOf(options))
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
  const pool = options.bounds ? new BoundedPool(settings, options.bounds) : new pg.Pool(settings);
  // A connection that dies fails the statement that runs on it; without listeners it would also end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const limitMilliseconds = options.silenceMilliseconds ?? silenceMilliseconds;
  if (limitMilliseconds < Infinity) watchSilence(pool, limitMilliseconds);
  return pool;
}

/** For an operator's command: on a machine that is busy it waits longer than requests, and its statements may take hours. */
export const createPatientPool = (databaseUrl: string, options: PoolOptions = {}): pg.Pool =>
  createPool(databaseUrl, { acquireTimeoutMillis: 60_000, silenceMilliseconds: Infinity, ...options });

/** PostgreSQL would plan most statements anew, which costs more than executing them, and wrongly for a new organisation. */
const settingsOf = ({ searchPath }: PoolOptions): Readonly<Record<string, string>> => ({
  plan_cache_mode: 'force_generic_plan',
  // Of every server, so that plans are those that were proven: pages come from memory or from a flash disk, and no
  // statement runs so long that compiling it pays.
  random_page_cost: '1.1',
  jit: 'off',
  // A backend whose client is gone ends its statement and releases its locks.
  client_connection_check_interval: '5s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  ...(searchPath && { search_path: searchPath.join(',') }),
});

/** Runs work in one transaction that sees and writes one organisation's rows only. Throws when `orgId` is not a UUID. */
export async function withTenant<Result>(
  pool: pg.Pool,
  orgId: string,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, Scope.tenant(orgId), work);
}

/** Runs work in one transaction that sees every organisation: for consumers, relays and rebuilds, never for requests. */
export function withSystem<Result>(pool: pg.Pool, work: (tx: OpenTransaction) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, Scope.system, work);
}

/** Runs the effect once the transaction has committed, and never when it does not. Throws for what no transaction is. */
export function afterCommit(tx: Tx, effect: () => void): void {
  const open = openForWriting(tx);
  if (!open) throw new TypeError('Only a transaction commits');
  open.afterCommit(effect);
}

/** One read-only statement on an organisation's rows in one round trip. Throws when `orgId` is not a UUID. */
export async function tenantQuery<Row extends object = Record<string, unknown>>(
  pool: pg.Pool,
  orgId: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Answered<Row>> {
  return inTransaction(pool, Scope.tenant(orgId), (tx) => tx.last<Row>(text, values), 'begin read only');
}
