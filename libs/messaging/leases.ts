import type { Tx } from '@caravan/event-store/event-store';

export const shardCount = 16;
/** Every shard of the outbox. */
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);
// First halves of two-part advisory locks, a key space of its own beside the one-part locks of appends.
const memberLocks = 0x6361_7201;
const shardLocks = 0x6361_7202;

/**
 * The outbox shards that one relay may send. They are session locks of its database connection: a lost connection is a
 * lost lease, whatever the process believes.
 */
export class Leases {
  private held: readonly number[] = [];
  private readonly tx: Tx;

  constructor(tx: Tx) {
    this.tx = tx;
  }

  get shards(): readonly number[] {
    return this.held;
  }

  /** The held shards, another one first each time, so that none waits for ever behind a busy one. */
  inTurn(): readonly number[] {
    const [first, ...rest] = this.held;
    if (first !== undefined) this.held = [...rest, first];
    return this.held;
  }

  get isComplete(): boolean {
    return this.held.length === shardCount;
  }

  /** Makes this relay known to the others, under a number of its own. */
  async join(): Promise<void> {
    await this.tx.query('select pg_advisory_lock($1, pg_backend_pid())', [memberLocks]);
  }

  /** Takes free shards up to a fair share and gives back what is above it. */
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
