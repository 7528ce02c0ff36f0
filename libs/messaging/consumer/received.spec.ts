import { expect, test } from 'vitest';
import { type News, Received, Receiving, encodeRow, decodeRow } from './received.ts';
import { formatWatermark, watermarkOf } from '../kafka/watermark.ts';

const at = (position: number, epoch = 0) => ({ epoch, position });
const message = (key: string, position: number, shard = 3) => ({ key, ...at(position), shard });
const mark = (position: number, shard = 3) => ({ shard, ...at(position) });

/** The batches one after the other, as one process applies them, and what another one would read of them then. */
function after(...batches: readonly Partial<News>[]) {
  const received = new Received(0, []);
  const rows = new Map<number, string | null>();
  const recorded: string[] = [];
  for (const { marks = [], messages = [] } of batches) {
    const next = received.next({ marks, messages });
    for (const nth of next.gone) rows.delete(nth);
    rows.set(next.row.nth, encodeRow(next.row));
    recorded.push(...next.toRecord.map(({ key }) => key));
    received.commit(next);
  }
  const read = [...rows].map(([nth, row]) => decodeRow(nth, row === null ? null : JSON.parse(row)));
  return { received, taken: new Received(batches.length, read), rows: rows.size, stored: read, recorded };
}

test('a process that takes a partition over knows its received messages, and not later ones of their keys', () => {
  const { received, taken } = after({ messages: [message('maya', 5), message('omar', 6)] }, {});
  for (const known of [received, taken]) {
    expect(known.has('maya', 3, at(5))).toBe(true);
    expect(known.has('maya', 3, at(4))).toBe(true);
    expect(known.has('maya', 3, at(7))).toBe(false);
    expect(known.has('ada', 3, at(5))).toBe(false);
    expect(known.has('maya', 3, at(1, 2))).toBe(false);
  }
});

test('every message up to the settled position counts as received, in its shard and its epoch alone', () => {
  const { received, taken } = after({ marks: [mark(10)] }, { marks: [mark(8)] });
  for (const known of [received, taken]) {
    expect(known.has('anybody', 3, at(10))).toBe(true);
    expect(known.has('anybody', 3, at(11))).toBe(false);
    expect(known.has('anybody', 4, at(10))).toBe(false);
    expect(known.has('anybody', undefined, at(10))).toBe(false);
    expect(known.has('anybody', 3, at(1, 2))).toBe(false);
  }
});

test('a partition keeps 32 rows at most, and deletes no message above the settled position', () => {
  const others = Array.from({ length: 100 }, (_, nth) => ({ messages: [message('omar', 100 + nth, 4)] }));
  const { received, taken, rows } = after(
    { marks: [mark(10)], messages: [message('maya', 12)] },
    { messages: [message('ada', 11, 5)] },
    ...others,
    { marks: [mark(20, 5)] },
    ...others,
  );
  expect(rows).toBeLessThanOrEqual(32);
  for (const known of [received, taken]) {
    expect(known.has('maya', 3, at(12))).toBe(true);
    expect(known.has('anybody', 3, at(10))).toBe(true);
    expect(known.has('anybody', 3, at(11))).toBe(false);
    // Its row is gone, what is settled tells.
    expect(known.has('ada', 5, at(11))).toBe(true);
    expect(known.has('omar', 4, at(199))).toBe(true);
  }
});

test('a batch stores the newest message of each key, and carries it over while no newer one comes', () => {
  const busy = Array.from({ length: 100 }, (_, nth) => ({
    messages: [message('omar', 3 * nth + 100), message('omar', 3 * nth + 101)],
  }));
  const { received, taken, stored: rows } = after({ messages: [message('maya', 7)] }, ...busy);
  expect(rows.map(({ messages }) => messages.length).toSorted()).toEqual([...Array.from({ length: 31 }, () => 1), 2]);
  for (const known of [received, taken]) {
    expect(known.has('maya', 3, at(7))).toBe(true);
    expect(known.has('omar', 3, at(3 * 99 + 101))).toBe(true);
    expect(known.has('omar', 3, at(100))).toBe(true);
    expect(known.has('omar', 3, at(3 * 99 + 102))).toBe(false);
  }
});

test('messages that are not settled for long are stored by key instead of with every batch', () => {
  const many = Array.from({ length: 300 }, (_, nth) => message(`walker-${nth}`, nth + 1));
  const { recorded, taken } = after({ messages: many }, ...Array.from({ length: 32 }, () => ({})));
  expect(recorded).toEqual(many.map(({ key }) => key));
  expect(taken.has('walker-7', 3, at(8))).toBe(false);
});

test('an empty row is deleted with the next batch', () => {
  expect(after({}, {}, {}).rows).toBe(1);
});

test('a batch keeps each message once, also against the messages stored by key', () => {
  const receiving = new Receiving(new Received(0, []), new Map([['maya', at(4)]]), new Map([['omar', 7]]));
  expect(receiving.has('maya', at(4), undefined)).toBe(true);
  expect(receiving.has('maya', at(5), undefined)).toBe(false);
  expect(receiving.add('maya', at(5), mark(0))).toBe(true);
  expect(receiving.has('maya', at(5), mark(0))).toBe(true);
  expect(receiving.add('omar', at(6), undefined)).toBe(false);
  receiving.note(mark(0));
  receiving.note(mark(2));
  receiving.note(mark(1));
  expect(receiving.next().row).toEqual({ nth: 1, marks: [mark(2)], messages: [message('maya', 5)] });
});

test('a watermark is parsed as it was written, and no other text is one', () => {
  const told = { shard: 11, epoch: 1_767_225_600_000, position: 4_711 };
  expect(watermarkOf({ watermark: formatWatermark(told) })).toEqual(told);
  expect(watermarkOf({})).toBeUndefined();
  expect(watermarkOf({ watermark: '3:x@0' })).toBeUndefined();
});
