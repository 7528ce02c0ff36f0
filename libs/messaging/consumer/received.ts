import { isUpTo, type LogPosition } from '@caravan/contracts/events/log-position';
import type { Watermark } from '../kafka/watermark.ts';

type Message = LogPosition & { readonly key: string; readonly shard: number };

/** The messages that one batch of a partition received; stored with the partition's offset (design/delivery.md). */
export type ReceivedRow = {
  readonly nth: number;
  readonly marks: readonly Watermark[];
  readonly messages: readonly Message[];
};

export type News = Pick<ReceivedRow, 'marks' | 'messages'>;

export type NextRow = {
  readonly row: ReceivedRow;
  /** Rows that it replaces. */
  readonly gone: readonly number[];
  /** Messages that have been waiting for long to be settled: each gets a row of its own. */
  readonly toRecord: readonly Message[];
};

/** `msg.received_lately` looks at as many. */
const rowsKept = 32;
const mostTakenOver = 256;

/**
 * What a partition has received that a relay could send once more: messages above what is settled. Below, everything has
 * been received. A process reads it from the rows of the last batches, and goes on by itself while they are its own.
 */
export class Received {
  private rows: ReceivedRow[] = [];
  private readonly settled = new Map<number, { readonly mark: LogPosition; readonly in: number }>();
  private readonly latest = new Map<string, LogPosition>();
  /** Of the last batch, whatever it said. */
  nth: number;

  constructor(nth: number, rows: readonly ReceivedRow[]) {
    this.nth = nth;
    for (const row of rows.toSorted((a, b) => a.nth - b.nth)) this.add(row);
  }

  /** Facts of a key come in order, so that a later one tells of an earlier one. */
  has(key: string, shard: number | undefined, at: LogPosition): boolean {
    return isUpTo(this.latest.get(key), at) || (shard !== undefined && this.isSettled(shard, at));
  }

  next({ marks, messages }: News): NextRow {
    const nth = this.nth + 1;
    const told = marks.filter((mark) => !this.isSettled(mark.shard, mark));
    const toldOf = new Map(told.map((mark) => [mark.shard, mark]));
    const old = this.rows.filter((row) => row.nth <= nth - rowsKept || saysNothing(row));
    const marksTakenOver = old.flatMap((row) =>
      row.marks.filter(({ shard }) => this.settled.get(shard)?.in === row.nth && !toldOf.has(shard)),
    );
    const newest = new Map(messages.map((message) => [message.key, message]));
    // A later fact of its key tells of it, from a row that stays or from this one.
    const isToldOf = (one: Message) => newest.has(one.key) || !isSame(this.latest.get(one.key), one);
    const unsettled = old
      .flatMap((row) => row.messages)
      .filter((one) => !isToldOf(one) && !this.isSettled(one.shard, one) && !isUpTo(toldOf.get(one.shard), one));
    const isTooMuch = unsettled.length > mostTakenOver;
    const row = {
      nth,
      marks: [...told, ...marksTakenOver],
      messages: [...(isTooMuch ? [] : unsettled), ...newest.values()],
    };
    return { row, gone: old.map((one) => one.nth), toRecord: isTooMuch ? unsettled : [] };
  }

  /** Once the batch is committed. */
  commit({ row, gone }: NextRow): void {
    for (const old of this.rows.filter(({ nth }) => gone.includes(nth)))
      for (const message of old.messages)
        if (isSame(this.latest.get(message.key), message)) this.latest.delete(message.key);
    this.rows = this.rows.filter(({ nth }) => !gone.includes(nth));
    this.nth = row.nth;
    this.add(row);
  }

  private add(row: ReceivedRow): void {
    this.rows.push(row);
    for (const { shard, epoch, position } of row.marks)
      if (!isUpTo(this.settled.get(shard)?.mark, { epoch, position }) || this.isOlder(shard, row.nth))
        this.settled.set(shard, { mark: { epoch, position }, in: row.nth });
    for (const { key, epoch, position } of row.messages)
      if (!isUpTo(this.latest.get(key), { epoch, position })) this.latest.set(key, { epoch, position });
  }

  /** A mark that is taken over says the same from a later row. */
  private isOlder(shard: number, nth: number): boolean {
    return (this.settled.get(shard)?.in ?? nth) < nth;
  }

  private isSettled(shard: number, at: LogPosition): boolean {
    return isUpTo(this.settled.get(shard)?.mark, at);
  }
}

/** What a batch has received so far, on top of what its partition had. */
export class Receiving {
  private readonly messages: Message[] = [];
  private readonly marks = new Map<number, Watermark>();
  private readonly latest = new Map<string, LogPosition>();
  private readonly before: Received;
  private readonly recorded: ReadonlyMap<string, LogPosition>;
  private readonly shards: ReadonlyMap<string, number>;

  /** `recorded` are positions that have rows of their own, `shards` those of keys, both by key. */
  constructor(before: Received, recorded: ReadonlyMap<string, LogPosition>, shards: ReadonlyMap<string, number>) {
    this.before = before;
    this.recorded = recorded;
    this.shards = shards;
  }

  has(key: string, at: LogPosition, mark: Watermark | undefined): boolean {
    return (
      isUpTo(this.latest.get(key), at) ||
      isUpTo(this.recorded.get(key), at) ||
      this.before.has(key, mark?.shard ?? this.shards.get(key), at)
    );
  }

  /** Answers whether it will be remembered: not without a watermark, which says for how long. */
  add(key: string, { epoch, position }: LogPosition, mark: Watermark | undefined): boolean {
    this.latest.set(key, { epoch, position });
    if (!mark) return false;
    this.messages.push({ key, epoch, position, shard: mark.shard });
    return true;
  }

  note(mark: Watermark | undefined): void {
    if (mark && mark.position > 0 && !isUpTo(this.marks.get(mark.shard), mark)) this.marks.set(mark.shard, mark);
  }

  next(): NextRow {
    return this.before.next({ marks: [...this.marks.values()], messages: this.messages });
  }

  commit(next: NextRow): void {
    this.before.commit(next);
  }
}

type Stored = readonly [
  readonly (readonly [number, number, number])[],
  readonly (readonly [string, number, number, number])[],
];

const isSame = (one: LogPosition | undefined, other: LogPosition): boolean =>
  one?.epoch === other.epoch && one.position === other.position;

const saysNothing = ({ marks, messages }: News): boolean => marks.length === 0 && messages.length === 0;

/** Null for a row that says nothing. */
export function encodeRow(news: News): string | null {
  if (saysNothing(news)) return null;
  const { marks, messages } = news;
  const row: Stored = [
    marks.map(({ shard, epoch, position }) => [shard, epoch, position]),
    messages.map(({ key, epoch, position, shard }) => [key, epoch, position, shard]),
  ];
  return JSON.stringify(row);
}

export function decodeRow(nth: number, received: unknown): ReceivedRow {
  const [marks, messages] = (received ?? [[], []]) as Stored;
  return {
    nth,
    marks: marks.map(([shard, epoch, position]) => ({ shard, epoch, position })),
    messages: messages.map(([key, epoch, position, shard]) => ({ key, epoch, position, shard })),
  };
}
