import type { Tx } from '@caravan/event-store/core/event-store';
import { allShards, shardCount } from './outbox-shards.ts';

// First halves of two-part advisory locks, a key space beside the one-part locks of appends.
const memberLocks = 0x6361_7201;
const shardLocks = 0x6361_7202;
/** For shards whose first lock is held by a session that its relay gave up. */
const inheritedLocks = 0x6361_7203;

const ofThisDatabase = `locktype = 'advisory' and granted and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())`;

/** Identifies a session: PostgreSQL reuses process ids. */
const sessionSql = `pid || ' ' || extract(epoch from backend_start)`;

/** The shards that one relay may send, as session locks: a lost connection is a lost lease. */
export class Leases {
  private readonly tx: Tx;
  /** Sessions that this relay gave up. It may inherit their shards while PostgreSQL still keeps their locks. */
  private readonly abandoned: readonly string[];
  private held: readonly number[] = [];
  private inherited = new Set<number>();

  constructor(tx: Tx, abandoned: readonly string[] = []) {
    this.tx = tx;
    this.abandoned = abandoned;
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

  /** Returns the identity of this session. */
  async join(): Promise<string> {
    const { rows } = await this.tx.query<{ session: string }>(
      `select ${sessionSql} as session from pg_stat_activity, pg_advisory_lock($1, pg_backend_pid())
       where pid = pg_backend_pid()`,
      [memberLocks],
    );
    return rows[0]?.session ?? '';
  }

  async review(): Promise<void> {
    if (this.inherited.size > 0) await this.own([...this.inherited]);
    if (this.abandoned.length > 0) await this.inherit();
    const share = Math.ceil(shardCount / (await this.members()));
    const excess = this.held.filter((shard) => !this.inherited.has(shard)).slice(0, this.held.length - share);
    if (this.held.length > share) await this.release(excess);
    else if (this.held.length < share) await this.take(share - this.held.length);
  }

  private async members(): Promise<number> {
    const all = `select count(*)::int as count from pg_locks where ${ofThisDatabase} and classid = $1`;
    const others = `${all} and pid not in (select pid from pg_stat_activity where ${sessionSql} = any($2::text[]))`;
    const { rows } = await (this.abandoned.length === 0
      ? this.tx.query<{ count: number }>(all, [memberLocks])
      : this.tx.query<{ count: number }>(others, [memberLocks, this.abandoned]));
    return Math.max(rows[0]?.count ?? 1, 1);
  }

  private async take(count: number): Promise<void> {
    const free = allShards.filter((shard) => !this.held.includes(shard));
    const taken = await this.lock(shardLocks, free, count);
    if (taken.length === 0) return;
    // Checked after locking. An heir checks the first lock after taking the second, so one of both sees the other.
    const { rows } = await this.tx.query<{ shard: number }>(
      `select objid::bigint as shard from pg_locks where ${ofThisDatabase} and classid = $1`,
      [inheritedLocks],
    );
    const others = taken.filter((shard) => rows.some((row) => row.shard === shard));
    if (others.length > 0) await this.unlock(shardLocks, others);
    this.held = [...this.held, ...taken.filter((shard) => !others.includes(shard))];
  }

  private async inherit(): Promise<void> {
    const candidates = (await this.leftBehind()).filter((shard) => !this.held.includes(shard));
    if (candidates.length === 0) return;
    const locked = await this.lock(inheritedLocks, candidates, candidates.length);
    const stillLeft = await this.leftBehind();
    const late = locked.filter((shard) => !stillLeft.includes(shard));
    if (late.length > 0) await this.unlock(inheritedLocks, late);
    for (const shard of locked.filter((each) => stillLeft.includes(each))) {
      this.inherited.add(shard);
      this.held = [...this.held, shard];
    }
  }

  /** Shards whose first lock one of the abandoned sessions holds. */
  private async leftBehind(): Promise<number[]> {
    const { rows } = await this.tx.query<{ shard: number }>(
      `select objid::bigint as shard from pg_locks join pg_stat_activity using (pid)
       where ${ofThisDatabase} and classid = $1 and ${sessionSql} = any($2::text[])`,
      [shardLocks, this.abandoned],
    );
    return rows.map(({ shard }) => shard);
  }

  /** Replaces inherited locks by first locks once the abandoned session has ended. */
  private async own(shards: readonly number[]): Promise<void> {
    const owned = await this.lock(shardLocks, shards, shards.length);
    if (owned.length === 0) return;
    await this.unlock(inheritedLocks, owned);
    for (const shard of owned) this.inherited.delete(shard);
  }

  private async release(shards: readonly number[]): Promise<void> {
    this.held = this.held.filter((shard) => !shards.includes(shard));
    await this.unlock(shardLocks, shards);
  }

  private async lock(space: number, shards: readonly number[], most: number): Promise<number[]> {
    const { rows } = await this.tx.query<{ shard: number }>(
      'select shard from unnest($2::int[]) as shard where pg_try_advisory_lock($1, shard) limit $3',
      [space, shards, most],
    );
    return rows.map(({ shard }) => shard);
  }

  private async unlock(space: number, shards: readonly number[]): Promise<void> {
    await this.tx.query('select pg_advisory_unlock($1, shard) from unnest($2::int[]) as shard', [space, shards]);
  }
}
