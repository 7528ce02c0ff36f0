import pg from 'pg';
import { Rejected } from '@caravan/kernel/rejected';

export type PoolGuard = {
  refusal(): Error | undefined;
  /** Milliseconds that the work at hand may still take; undefined for work that nobody waits for. */
  timeLeft(): number | undefined;
  late(): void;
};

export type PoolBounds = {
  readonly guard: PoolGuard;
  readonly mostWaiting: number;
};

type Acquired = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** PostgreSQL ends a statement so much before the connection is given up, which it does only when it does not hang. */
const marginMilliseconds = 200;
const stepMilliseconds = 50;

/** Bounded in length and time; a connection held past its deadline is given up: only a database that hangs lets it come to that. */
export class BoundedPool extends pg.Pool {
  private readonly deadlines = new WeakMap<object, NodeJS.Timeout>();

  constructor(
    options: pg.PoolConfig,
    private readonly bounds: PoolBounds,
  ) {
    super(options);
    this.on('release', (_error, client) => clearTimeout(this.deadlines.get(client)));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<pg.PoolClient> | void {
    if (callback) return this.acquire(callback);
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    this.acquire((error, client) => (client ? resolve(client) : reject(error ?? new Error('no connection'))));
    return promise;
  }

  get mostWaiting(): number {
    return this.bounds.mostWaiting;
  }

  statementMilliseconds(): number | undefined {
    const left = this.bounds.guard.timeLeft();
    return left === undefined ? undefined : Math.max(1, roundUp(left) - marginMilliseconds);
  }

  private acquire(callback: Acquired): void {
    const { guard, mostWaiting } = this.bounds;
    const left = guard.timeLeft();
    const refusal = guard.refusal() ?? (left === 0 ? tooLate() : undefined);
    if (refusal) return callback(refusal, undefined, () => undefined);
    if (this.waitingCount >= mostWaiting) return callback(tooMany(), undefined, () => undefined);
    const askedAt = performance.now();
    super.connect((error, client, done) => {
      if (error && isSilent(error)) guard.late();
      if (!client || left === undefined) return callback(error, client, done);
      const rest = askedAt + left - performance.now();
      if (rest > 0) {
        this.deadlines.set(client, setTimeout(() => this.giveUp(client), roundUp(rest)).unref());
        return callback(error, client, done);
      }
      done();
      return callback(tooLate(), undefined, () => undefined);
    });
  }

  private giveUp(client: pg.PoolClient & { connection: { stream: { destroy(): void } } }): void {
    this.bounds.guard.late();
    client.connection.stream.destroy();
  }
}

const roundUp = (milliseconds: number) => Math.ceil(milliseconds / stepMilliseconds) * stepMilliseconds;

/** A new connection was not answered. Waiting for one that others hold says nothing about the database. */
const isSilent = ({ message }: Error) => message.startsWith('Connection terminated due to connection timeout');

const tooLate = () =>
  new Rejected('service/too-late', 'unavailable', 'This takes too long right now. Please try again in a few seconds.', {
    retryAfterSeconds: 2,
  });

export const tooMany = () =>
  new Rejected('service/too-busy', 'unavailable', 'Too much is asked at once. Please try again in a few seconds.', {
    retryAfterSeconds: 2,
  });
