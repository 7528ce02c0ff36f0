import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamSlots, streamsPerMember, streamsPerSession } from './stream-slots.ts';

function member() {
  const slots = new StreamSlots();
  const evicted: string[] = [];
  const open = (page: string, sessionId: string, userId = 'maya') =>
    slots.acquire({ userId, sessionId }, () => evicted.push(page));
  return { open, evicted };
}

describe('[D38] open pages', () => {
  test('are five a session: the oldest of that session gives way, however many sessions there are', () => {
    const { open, evicted } = member();
    open('phone', 'phone');
    for (let page = 1; page <= streamsPerSession; page += 1) open(`laptop ${page}`, 'laptop');
    expect(evicted).toEqual([]);
    open('laptop 6', 'laptop');
    open('laptop 7', 'laptop');
    expect(evicted).toEqual(['laptop 1', 'laptop 2']);
  });

  test('are twenty a member: the oldest of all gives way', () => {
    const { open, evicted } = member();
    for (let page = 1; page <= streamsPerMember; page += 1) open(`page ${page}`, `session ${page % 10}`);
    open('of somebody else', 'session 1', 'omar');
    expect(evicted).toEqual([]);
    open('one more', 'new session');
    expect(evicted).toEqual(['page 1']);
  });

  test('that were left make room without anybody giving way', () => {
    const { open, evicted } = member();
    const leaving = open('first', 's');
    for (let page = 2; page <= streamsPerSession; page += 1) open(`page ${page}`, 's');
    leaving();
    leaving();
    open('sixth', 's');
    expect(evicted).toEqual([]);
  });

  test('are never more than allowed, and the newest is always among them', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ session: fc.nat(12), leaves: fc.boolean() }), { maxLength: 200 }), (steps) => {
        const slots = new StreamSlots();
        const open = new Map<number, string>();
        steps.forEach(({ session, leaves }, page) => {
          const sessionId = String(session);
          const release = slots.acquire({ userId: 'maya', sessionId }, () => open.delete(page));
          open.set(page, sessionId);
          expect([...open.values()].filter((each) => each === sessionId).length).toBeLessThanOrEqual(streamsPerSession);
          expect(open.size).toBeLessThanOrEqual(streamsPerMember);
          expect(open.has(page)).toBe(true);
          if (!leaves) return;
          release();
          open.delete(page);
        });
      }),
    );
  });
});
