import type pg from 'pg';

type Socket = { readonly bytesRead: number; destroy(): void };
type Held = { bytes: number; since: number };

const looksPerLimit = 3;

/** Watches each connection of a pool while it is checked out. */
export function watchSilence(pool: pg.Pool, limitMilliseconds: number): void {
  new SilentConnections(pool, limitMilliseconds).watch();
}

/**
 * Destroys a connection in use on which PostgreSQL has sent nothing for too long, and the idle ones of its pool with it:
 * what cut off one has probably cut off all. The statement that waited fails and can be retried on a new connection.
 */
class SilentConnections {
  private readonly pool: pg.Pool;
  private readonly limitMilliseconds: number;
  private readonly held = new Map<pg.PoolClient, Held>();
  private readonly idle = new Set<pg.PoolClient>();
  private timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, limitMilliseconds: number) {
    this.pool = pool;
    this.limitMilliseconds = limitMilliseconds;
  }

  watch(): void {
    const { pool } = this;
    pool.on('acquire', (client) => this.hold(client));
    pool.on('release', (error: unknown, client) => {
      this.held.delete(client);
      // With an error or `true`, the pool removes the client.
      if (error === undefined || error === false) this.idle.add(client);
    });
    pool.on('remove', (client) => {
      this.held.delete(client);
      this.idle.delete(client);
    });
  }

  private destroyIdle(): void {
    for (const client of this.idle) {
      this.idle.delete(client);
      // An error removes the client from the pool at once; the end of its connection would do so only later.
      client.emit('error', new Error('The connection kept silent, as others of its pool'));
      socketOf(client)?.destroy();
    }
  }

  private hold(client: pg.PoolClient): void {
    this.idle.delete(client);
    this.held.set(client, { bytes: socketOf(client)?.bytesRead ?? 0, since: performance.now() });
    this.timer ??= this.lookLater();
  }

  private lookLater(): NodeJS.Timeout {
    // Bytes that arrived while this process was busy are read before the look.
    const look = () => setImmediate(() => this.look());
    return setTimeout(look, this.limitMilliseconds / looksPerLimit).unref();
  }

  private look(): void {
    for (const [client, held] of this.held) {
      const socket = socketOf(client);
      if (!socket) continue;
      if (socket.bytesRead !== held.bytes) Object.assign(held, { bytes: socket.bytesRead, since: performance.now() });
      else if (performance.now() - held.since >= this.limitMilliseconds) {
        socket.destroy();
        this.destroyIdle();
      }
    }
    this.timer = this.held.size > 0 ? this.lookLater() : undefined;
  }
}

const socketOf = (client: object): Socket | undefined =>
  (client as { readonly connection?: { readonly stream: Socket } }).connection?.stream;
