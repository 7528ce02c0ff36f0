import type { Tx } from '@caravan/event-store/event-store';

const shardCount = 16;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);
// First halves of two-part advisory locks, a key space beside the one-part locks of appends.
const memberLocks = 0x6361_7201;
const shardLocks = 0x6361_7202;

/** The shards that one relay may send, as session locks: a lost connection is a lost lease. */
export class Leases {
  private held: readonly number[] = [];
  private readonly tx: Tx;

  constructor(tx: Tx) {
    this.tx = tx;
  }

  get shards(): readonly number[] {
    return this.held;
  }

  inTurn(): readonly number[] {
    const [first, ...rest] = this.held;
    if (first !== undefined) this.held = [...rest, first];
    return this.held;
  }

  get isComplete(): boolean {
    return this.held.length === shardCount;
  }

  async join(): Promise<void> {
    await this.tx.query('select pg_advisory_lock($1, pg_backend_pid())', [memberLocks]);
  }

  async review(): Promise<void> {
    const share = Math.ceil(shardCount / (await this.members()));
    if (this.held.length > share) await this.release(this.held.slice(share));
    else if (this.held.length < share) await this.take(share - this.held.length);
  }

  private async members(): Promise<number> {
    const { rows } = await this.tx.query<{ count: number }>(
      `select count(*)::int as count from pg_locks where locktype = 'advisory' and granted and classid = $1
         and objsubid = 2 and database = (select oid from pg_database where datname = current_database())`,
      [memberLocks],
    );
    return Math.max(rows[0]?.count ?? 1, 1);
  }

  private async take(count: number): Promise<void> {
    const free = allShards.filter((shard) => !this.held.includes(shard));
    const { rows } = await this.tx.query<{ shard: number }>(
      'select shard from unnest($2::int[]) as shard where pg_try_advisory_lock($1, shard) limit $3',
      [shardLocks, free, count],
    );
    this.held = [...this.held, ...rows.map(({ shard }) => shard)];
  }

  private async release(shards: readonly number[]): Promise<void> {
    this.held = this.held.filter((shard) => !shards.includes(shard));
    await this.tx.query('select pg_advisory_unlock($1, shard) from unnest($2::int[]) as shard', [shardLocks, shards]);
  }
}

/** What was at or below `after` in the snapshot `seen`, a pg_snapshot, has been sent or put aside. */
export type OutboxCursor = {
  readonly shard: number;
  readonly after: number;
  readonly seen: string | null;
};

export const fromStart = (shard: number): OutboxCursor => ({ shard, after: 0, seen: null });

type Read = { readonly shard: number; readonly pos: number; readonly seen: string };

export class OutboxCursors {
  private readonly cursors = new Map<number, OutboxCursor>();

  of(shards: readonly number[]): OutboxCursor[] {
    return shards.map((shard) => this.cursors.get(shard) ?? fromStart(shard));
  }

  keep(shards: readonly number[]): void {
    for (const shard of this.cursors.keys()) if (!shards.includes(shard)) this.cursors.delete(shard);
  }

  advance(rows: readonly Read[], rowsPerShard: number, done: ReadonlySet<Read>): void {
    for (const [shard, read] of Map.groupBy(rows, (row) => row.shard)) {
      const { after } = this.cursors.get(shard) ?? fromStart(shard);
      const left = read.find((row) => !done.has(row));
      const last = read.at(-1);
      if (!last) continue;
      // Up to here the look has left nothing: all that it could see when it was not cut short.
      const upTo = left ? left.pos - 1 : read.length < rowsPerShard ? Math.max(after, last.pos) : last.pos;
      // What came late below the cursor, and is not done with, is found by the older snapshot again.
      if (upTo >= after) this.cursors.set(shard, { shard, after: upTo, seen: last.seen });
    }
  }
}
