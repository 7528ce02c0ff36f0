import { describe, expect, test } from 'vitest';
import { GroupWatch } from './group-watch.ts';

const sessionMs = 6_000;
const lookMs = 5_000;
const place = (partition: number) => ({ topic: 'activity.v1', partition });

type Partition = { readonly next: number | undefined; readonly end: number; readonly start?: number };

/** Looks as often as given, with a heartbeat before each look unless the case says otherwise. */
function look(
  watch: GroupWatch,
  partitions: readonly Partition[] | undefined,
  { times = 1, hasHeartbeat = true, between = (): void => undefined } = {},
): void {
  for (let nth = 0; nth < times; nth += 1) {
    if (hasHeartbeat) watch.heartbeat();
    between();
    watch.look({
      elapsedMs: lookMs,
      partitions: partitions?.map(({ next }, partition) => ({ ...place(partition), nextOffset: next })),
      extents: (partitions ?? []).map(({ end, start = 0 }, partition) => ({ ...place(partition), start, end })),
    });
  }
}

describe('[F04] a consumer group is well', () => {
  test('while it has no backlog and its heartbeats are accepted', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 7, end: 7 }], { times: 1_000 });
    expect([watch.illness(), watch.overdueMs, watch.withoutProgressMs, watch.backlog]).toEqual([undefined, 0, 0, 0]);
  });

  test('while another process has all the partitions', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [], { times: 1_000 });
    expect([watch.illness(), watch.overdueMs]).toEqual([undefined, 0]);
  });

  test('while it works off a backlog, however long that takes', () => {
    const watch = new GroupWatch(sessionMs);
    for (let next = 0; next < 1_000; next += 1) look(watch, [{ next, end: 100_000 }]);
    expect([watch.illness(), watch.overdueMs, watch.backlog]).toEqual([undefined, 0, 99_001]);
  });

  test('while partitions behind large backlogs of others wait for their turn to be fetched', () => {
    const watch = new GroupWatch(sessionMs);
    for (let next = 0; next < 1_000; next += 1)
      look(watch, [
        { next, end: 100_000 },
        { next: 0, end: 1 },
      ]);
    expect([watch.illness(), watch.withoutProgressMs]).toEqual([undefined, 0]);
  });

  test('when what it has not read has expired', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 7, end: 100, start: 100 }], { times: 1_000 });
    expect([watch.illness(), watch.backlog]).toEqual([undefined, 0]);
  });

  test('when a topic begins anew below the offset that it has read', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 1_000, end: 3 }], { times: 1_000 });
    expect([watch.illness(), watch.backlog]).toEqual([undefined, 0]);
  });
});

describe('[F04] the client of a consumer group is not replaced', () => {
  test('while a batch is tried again and again; after a minute the group is overdue and names the reason', () => {
    const watch = new GroupWatch(sessionMs);
    const between = () => watch.recordFailure(place(0), new Error('the team of this member is not known yet'));
    look(watch, [{ next: 7, end: 7 }]);
    look(watch, [{ next: 7, end: 8 }], { times: 13, between });
    expect([watch.illness(), watch.overdueMs]).toEqual([undefined, 0]);
    look(watch, [{ next: 7, end: 8 }], { times: 100, between });
    expect(watch.illness()).toBeUndefined();
    expect(watch.overdueMs).toBeGreaterThan(0);
    expect(watch.problem).toBe('1 messages are not applied: the team of this member is not known yet');
  });

  test('while a batch is at work for up to ten minutes, for instance behind a lock of a rebuild', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 7, end: 7 }]);
    const ended = watch.batchBegins();
    look(watch, [{ next: 7, end: 500 }], { times: 119 });
    expect(watch.illness()).toBeUndefined();
    look(watch, [{ next: 7, end: 500 }], { times: 5 });
    expect(watch.illness()).toMatch(/^493 messages wait/);
    ended();
  });

  test('while its partitions are claimed in vain because the database is away', () => {
    const watch = new GroupWatch(sessionMs);
    const between = () => watch.recordFailure(place(0), new Error('connect ECONNREFUSED'));
    look(watch, [{ next: undefined, end: 500 }], { times: 1_000, between });
    expect(watch.illness()).toBeUndefined();
    expect(watch.overdueMs).toBeGreaterThan(0);
  });

  test('by time in which nobody looked, since Kafka was away or the process was stopped', () => {
    const watch = new GroupWatch(sessionMs);
    watch.look({
      elapsedMs: 0,
      partitions: [{ ...place(0), nextOffset: 1 }],
      extents: [{ ...place(0), start: 0, end: 9 }],
    });
    expect([watch.illness(), watch.overdueMs]).toEqual([undefined, 0]);
  });
});

describe('[F04] the client of a consumer group is replaced', () => {
  test('when no heartbeat is accepted for twice the session timeout, with or without a backlog', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 7, end: 7 }], { times: 2, hasHeartbeat: false });
    expect(watch.illness()).toBeUndefined();
    look(watch, [{ next: 7, end: 7 }], { hasHeartbeat: false });
    expect(watch.illness()).toBe('no heartbeat for 15 s');
  });

  test('when its first join never ends', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, undefined, { times: 3, hasHeartbeat: false });
    expect(watch.illness()).toBe('no heartbeat for 15 s');
  });

  test('when heartbeats go on and messages wait that nobody tries', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 7, end: 7 }]);
    look(watch, [{ next: 7, end: 864 }], { times: 4 });
    expect(watch.illness()).toBe('857 messages wait, and some were not tried for 15 s');
  });

  test('when one partition stands still while the others are applied at once', () => {
    const watch = new GroupWatch(sessionMs);
    for (let next = 0; next < 5; next += 1)
      look(watch, [
        { next: next * 100, end: next * 100 },
        { next: 3, end: 4 },
      ]);
    expect(watch.illness()).toMatch(/^1 messages wait/);
  });

  test('again after twice the time, and once more after four times the time', () => {
    const watch = new GroupWatch(sessionMs);
    const looks: number[] = [];
    for (let replaced = 0; replaced < 3; replaced += 1) {
      let nth = 0;
      for (; watch.illness() === undefined; nth += 1) look(watch, [{ next: 7, end: 7 }], { hasHeartbeat: false });
      looks.push(nth);
      watch.countReplacement();
    }
    expect(looks).toEqual([3, 5, 10]);
    expect(watch.replacements).toBe(3);
  });

  test('as for the first time once the group has been well again', () => {
    const watch = new GroupWatch(sessionMs);
    look(watch, [{ next: 7, end: 9 }], { times: 5 });
    watch.countReplacement();
    look(watch, undefined);
    look(watch, [{ next: 7, end: 9 }], { times: 2 });
    expect(watch.replacements).toBe(1);
    look(watch, [{ next: 9, end: 9 }], { times: 2 });
    expect(watch.replacements).toBe(0);
  });
});
