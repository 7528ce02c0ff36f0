/**
 * How far a shard of the outbox is done with: what was at or below `after` in the snapshot `seen` has been sent or put
 * aside. What has come since lies above, or was written by a transaction that the snapshot does not see.
 */
export type OutboxCursor = {
  readonly shard: number;
  readonly after: number;
  /** A pg_snapshot as text; null before the first look. */
  readonly seen: string | null;
};

/** The cursor of a shard that nobody here has read yet: from its true start. */
export const fromStart = (shard: number): OutboxCursor => ({ shard, after: 0, seen: null });

type Read = { readonly shard: number; readonly pos: number; readonly seen: string };

/** What a relay remembers of the shards that it holds, for as long as it holds them. */
export class OutboxCursors {
  private readonly cursors = new Map<number, OutboxCursor>();

  /** Where to read each of these shards on. */
  of(shards: readonly number[]): OutboxCursor[] {
    return shards.map((shard) => this.cursors.get(shard) ?? fromStart(shard));
  }

  /** Forgets all shards but these: somebody else sends the others now. */
  keep(shards: readonly number[]): void {
    for (const shard of this.cursors.keys()) if (!shards.includes(shard)) this.cursors.delete(shard);
  }

  /**
   * Takes in a look that answered at most so many rows of each shard, in order; those in `done` are not needed again.
   */
  advance(rows: readonly Read[], rowsPerShard: number, done: ReadonlySet<Read>): void {
    for (const [shard, read] of Map.groupBy(rows, (row) => row.shard)) {
      const { after } = this.cursors.get(shard) ?? fromStart(shard);
      const left = read.find((row) => !done.has(row));
      const last = read.at(-1);
      if (!last) continue;
      // Up to here the look has missed nothing and left nothing: all rows that it could see when it was not cut short.
      const upTo = left ? left.pos - 1 : read.length < rowsPerShard ? Math.max(after, last.pos) : last.pos;
      // What came late below the cursor, and is not done with, is found by the older snapshot again.
      if (upTo >= after) this.cursors.set(shard, { shard, after: upTo, seen: last.seen });
    }
  }
}
