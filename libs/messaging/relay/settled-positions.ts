import { isUpTo, type LogPosition } from '@caravan/contracts/events/log-position';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { OutboxCursor } from './outbox-shards.ts';
import type { Watermark } from '../kafka/watermark.ts';

/** Up to `after` all that a look could see was sent; every transaction that could still add to it is before `next`. */
type Pending = LogPosition & { readonly next: string };
type Looked = { readonly shard: number; readonly pos: number };

// A transaction that is under way may have a higher number than all that have ended, which the bounds of a snapshot do not
// tell: so the review takes a number of its own, beyond all that were given. What is put aside for its size may come back,
// so that nothing from there on is settled. Epochs are those of now: a log that is restored later is another one, and one
// that was restored has taken none of these positions.
const reviewSql = `
  select h.shard, h.after as position, es.epoch_at(h.after) as epoch, pg_current_xact_id()::text as next,
    h.after between 1 and coalesce(pg_sequence_last_value('es.events_pos_seq'), 0) as is_of_this_log,
    pg_snapshot_xmin(now.seen) >= h.next::xid8 as is_over,
    (select min(r.pos) from es.refused r where r.shard = h.shard) as refused
  from (select pg_current_snapshot() as seen offset 0) as now,
    unnest($1::smallint[], $2::bigint[], $3::text[]) as h(shard, after, next)`;

type Reviewed = LogPosition & {
  readonly shard: number;
  readonly next: string;
  readonly isOfThisLog: boolean;
  readonly isOver: boolean | null;
  readonly refused: number | null;
};

/**
 * Up to where each shard of a relay is settled. A position that a look has reached is, once every transaction that was
 * under way then has ended, and a look after that has left nothing behind at or below it: positions are taken after
 * transactions have their number, and what a transaction wrote is visible when it has ended.
 */
export class SettledPositions {
  private readonly pending = new Map<number, Pending>();
  private readonly candidates = new Map<number, LogPosition>();
  private readonly settled = new Map<number, LogPosition>();

  watermarkOf(shard: number): Watermark {
    return { shard, ...(this.settled.get(shard) ?? { epoch: 0, position: 0 }) };
  }

  keep(shards: readonly number[]): void {
    for (const kept of [this.pending, this.candidates, this.settled])
      for (const shard of kept.keys()) if (!shards.includes(shard)) kept.delete(shard);
  }

  /** Between two looks. */
  async review(tx: Tx, cursors: readonly OutboxCursor[]): Promise<void> {
    // Who has nothing to settle writes nothing.
    const open = cursors.filter(({ shard, after }) => this.settled.get(shard)?.position !== after);
    if (open.length === 0) return;
    const { rows } = await tx.query<Reviewed>(reviewSql, [
      open.map(({ shard }) => shard),
      open.map(({ after }) => after),
      open.map(({ shard }) => this.pending.get(shard)?.next ?? null),
    ]);
    for (const row of rows) this.compare(row);
  }

  private compare({ shard, position, epoch, next, isOfThisLog, isOver, refused }: Reviewed): void {
    const pending = this.pending.get(shard);
    if (pending && isOver !== true) return;
    this.candidates.delete(shard);
    if (pending && (refused === null || refused > pending.position))
      this.candidates.set(shard, { epoch: pending.epoch, position: pending.position });
    if (isOfThisLog) this.pending.set(shard, { epoch, position, next });
    else this.pending.delete(shard);
  }

  /** After a look of which `sent` has been acknowledged, and the rest was left or put aside. */
  settle(rows: readonly Looked[], rowsPerShard: number, sent: ReadonlySet<Looked>): void {
    for (const [shard, candidate] of this.candidates) {
      const read = rows.filter((row) => row.shard === shard);
      const isLeft = read.some((row) => row.pos <= candidate.position && !sent.has(row));
      const isCutShort = read.length >= rowsPerShard && (read.at(-1)?.pos ?? 0) < candidate.position;
      this.candidates.delete(shard);
      if (!isLeft && !isCutShort && !isUpTo(this.settled.get(shard), candidate)) this.settled.set(shard, candidate);
    }
  }
}
