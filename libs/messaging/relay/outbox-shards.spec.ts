import { describe, expect, test } from 'vitest';
import { OutboxCursors } from './outbox-shards.ts';

const rows = (seen: string, ...positions: number[]) => positions.map((pos) => ({ shard: 3, pos, seen }));
const first = '10:10:';
const second = '20:20:';

/** A relay that has read and sent these positions of a shard in its first look. */
function after(...positions: number[]): OutboxCursors {
  const cursors = new OutboxCursors();
  const read = rows(first, ...positions);
  cursors.advance(read, 10, new Set(read));
  return cursors;
}
const cursorOf = (cursors: OutboxCursors) => cursors.of([3])[0];

describe('the cursor of a shard', () => {
  test('begins at the true start, and there again once the shard was given away', () => {
    expect(cursorOf(new OutboxCursors())).toEqual({ shard: 3, after: 0, seen: null });
    const cursors = after(5);
    cursors.keep([4]);
    expect(cursorOf(cursors)).toEqual({ shard: 3, after: 0, seen: null });
  });

  test('moves behind what was sent, with the snapshot of that look', () => {
    expect(cursorOf(after(5, 7))).toEqual({ shard: 3, after: 7, seen: first });
  });

  test('does not fall when only late rows came', () => {
    const cursors = after(5, 7);
    const late = rows(second, 6);
    cursors.advance(late, 10, new Set(late));
    expect(cursorOf(cursors)).toEqual({ shard: 3, after: 7, seen: second });
  });

  test('stops before what was left, such as behind a refused message', () => {
    const cursors = after(5);
    const read = rows(second, 6, 8, 9);
    cursors.advance(read, 10, new Set([read[0], read[2]].filter((row) => row !== undefined)));
    expect(cursorOf(cursors)).toEqual({ shard: 3, after: 7, seen: second });
  });

  test('keeps the older snapshot while a late row below it is left, or more late rows may follow', () => {
    const left = after(7);
    const [late, next] = rows(second, 6, 8);
    if (!late || !next) throw new Error('two rows');
    left.advance([late, next], 10, new Set([next]));
    expect(cursorOf(left)).toEqual({ shard: 3, after: 7, seen: first });
    const cut = after(7);
    cut.advance([late], 1, new Set([late]));
    expect(cursorOf(cut)).toEqual({ shard: 3, after: 7, seen: first });
  });

  test('of a look that was cut short is its last row: the look has seen no further', () => {
    const cursors = after(5);
    const read = rows(second, 6, 8);
    cursors.advance(read, 2, new Set(read));
    expect(cursorOf(cursors)).toEqual({ shard: 3, after: 8, seen: second });
  });
});
