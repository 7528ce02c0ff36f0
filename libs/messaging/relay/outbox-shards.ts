export const shardCount = 16;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

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
      const lastPosition = read.length < rowsPerShard ? Math.max(after, last.pos) : last.pos;
      const upTo = left ? left.pos - 1 : lastPosition;
      // What came late below the cursor, and is not done with, is found by the older snapshot again.
      if (upTo >= after) this.cursors.set(shard, { shard, after: upTo, seen: last.seen });
    }
  }
}
