import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { BoundedPool } from './bounded-pool.ts';
import type { Tx } from '../core/event-store.ts';
import { isOnlyReading } from './reading.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whose rows a transaction sees. Made here only, from a checked UUID: its name becomes part of a statement. */
export class Scope {
  readonly name: string;

  private constructor(name: string) {
    this.name = name;
  }

  static readonly system = new Scope('system');

  static tenant(orgId: string): Scope {
    if (!uuid.test(orgId)) throw new TypeError('An organisation is named by its UUID');
    return new Scope(orgId);
  }
}

export type Answered<Row extends object> = { rows: Row[]; rowCount: number | null };

const inFailedTransaction = '25P02';

export class RolledBack extends Error {
  override readonly name = 'RolledBack';

  constructor() {
    super('The transaction was rolled back');
  }
}

/** Deferred statements travel with the next awaited one or with the commit, and fail the transaction there at the latest. */
export class OpenTransaction implements Tx {
  readonly #client: pg.PoolClient;
  readonly #effects: (() => void)[] = [];
  #failure: Error | undefined;
  #committed: Promise<pg.QueryResult> | undefined;

  constructor(client: pg.PoolClient, scope: Scope, begin: string) {
    this.#client = client;
    // A message of its own: within that of `begin` it would count as the transaction's first query, which takes a snapshot.
    if (plansAnew(client)) this.defer('discard plans');
    // One message instead of two: a third off a short transaction. SET takes no bind values, hence the type of `scope`.
    this.defer(`${begin};set local app.org = '${scope.name}'`);
  }

  async query<Row extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Answered<Row>> {
    if (this.#committed) throw new Error('The transaction has ended');
    try {
      return await this.#send<Row>(text, values);
    } catch (error) {
      throw this.rootCause(error);
    }
  }

  /** Runs work that may fail without failing the transaction: its traces are undone and its error is thrown. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const effectsBefore = this.#effects.length;
    const failureBefore = this.#failure;
    this.defer('savepoint attempt');
    try {
      const result = await work();
      await this.query('release savepoint attempt');
      return result;
    } catch (error) {
      const cause = this.rootCause(error);
      await this.#send('rollback to savepoint attempt', []);
      this.#failure = failureBefore;
      this.#effects.length = effectsBefore;
      throw cause;
    }
  }

  defer(text: string, values: readonly unknown[] = []): void {
    this.#issue(text, values, (error) => this.#note(error));
  }

  send<Row extends object>(text: string, values: readonly unknown[]): Promise<Answered<Row>> {
    return this.#send<Row>(text, values, (error) => this.#note(error));
  }

  async last<Row extends object>(text: string, values: readonly unknown[]): Promise<Answered<Row>> {
    const answer = this.query<Row>(text, values);
    this.#committed = this.#send('commit', []);
    this.#committed.catch(() => undefined);
    return answer;
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  async commit(): Promise<void> {
    const { command } = await (this.#committed ?? this.#send('commit', []));
    // A commit of a failed transaction is answered as a rollback, not as an error.
    if (this.#failure) throw this.#failure;
    if (command !== 'COMMIT') throw new RolledBack();
  }

  runEffects(): void {
    for (const effect of this.#effects) {
      try {
        effect();
      } catch (error) {
        process.emitWarning(error as Error);
      }
    }
  }

  async rollback(): Promise<void> {
    await this.#send('rollback', []);
  }

  rootCause(error: unknown): unknown {
    const isFollowUp = error instanceof pg.DatabaseError && error.code === inFailedTransaction;
    return isFollowUp && this.#failure ? this.#failure : error;
  }

  #send<Row extends object>(text: string, values: readonly unknown[], note?: Callback): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#issue(text, values, (error, result) => {
        // At once: what follows in the same packet fails because of it.
        note?.(error);
        if (error) reject(error);
        else resolve(result as pg.QueryResult<Row>);
      });
    });
  }

  #note(error: Error | null | undefined): void {
    if (error) this.#failure ??= error;
  }

  #issue(text: string, values: readonly unknown[], callback: Callback): void {
    inOneWrite(this.#client);
    // A query of our own making: one that the client makes of a configuration costs as much as sending it.
    const query: pg.Query & { name?: string; callback?: Callback } = new pg.Query(text, values as unknown[]);
    const name = values.length > 0 ? statementName(text) : undefined;
    if (name !== undefined) query.name = name;
    query.callback = callback;
    this.#client.query(query);
  }
}

/** A plan that was made for an empty table is wrong after a burst, and statistics come a minute later (design/database.md). */
const planMilliseconds = 20_000;
const plannedAt = new WeakMap<pg.PoolClient, number>();

function plansAnew(client: pg.PoolClient): boolean {
  const now = performance.now();
  const before = plannedAt.get(client);
  if (before !== undefined && now - before < planMilliseconds) return false;
  plannedAt.set(client, now);
  return before !== undefined;
}

function timeOutOf(pool: pg.Pool): string {
  const milliseconds = pool instanceof BoundedPool ? pool.statementMilliseconds() : undefined;
  return milliseconds === undefined ? '' : `;set local statement_timeout = ${milliseconds}`;
}

type Callback = (error: Error | null | undefined, result?: pg.QueryResult) => void;

/** Runs work between begin and commit; rolls back and throws what the work threw. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  scope: Scope,
  work: (tx: OpenTransaction) => Promise<Result>,
  begin = isOnlyReading() ? 'begin read only' : 'begin',
): Promise<Result> {
  const client = await pool.connect();
  const tx = new OpenTransaction(client, scope, begin + timeOutOf(pool));
  let isBroken = false;
  let result: Result;
  try {
    result = await work(tx);
    await tx.commit();
  } catch (error) {
    await tx.rollback().catch(() => {
      isBroken = true;
    });
    throw tx.rootCause(error);
  } finally {
    client.release(isBroken);
  }
  tx.runEffects();
  return result;
}

type WithSocket = { readonly connection?: { readonly stream?: Writable } };

/** Everything issued until the promise callbacks under way are through leaves in one write: each wakes the server's process. */
export function inOneWrite(client: object): void {
  const stream = (client as WithSocket).connection?.stream;
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  // A tick that is queued by a promise callback comes after all of them, one queued by other code before them.
  queueMicrotask(() => process.nextTick(() => stream.uncork()));
}

const names = new Map<string, string>();

/** Statements beyond this are not prepared: a text that varies without end would fill the server's memory. */
const maxNames = 1_000;

export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}
