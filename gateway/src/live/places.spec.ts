import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Places, streamsPerMember, streamsPerSession } from './places.ts';

function member() {
  const places = new Places();
  const gaveWay: string[] = [];
  const open = (page: string, sessionId: string, userId = 'maya') =>
    places.take({ userId, sessionId }, () => gaveWay.push(page));
  return { open, gaveWay };
}

describe('[D38] open pages', () => {
  test('are five a session: the oldest of that session gives way, however many sessions there are', () => {
    const { open, gaveWay } = member();
    open('phone', 'phone');
    for (let page = 1; page <= streamsPerSession; page += 1) open(`laptop ${page}`, 'laptop');
    expect(gaveWay).toEqual([]);
    open('laptop 6', 'laptop');
    open('laptop 7', 'laptop');
    expect(gaveWay).toEqual(['laptop 1', 'laptop 2']);
  });

  test('are twenty a member: the oldest of all gives way', () => {
    const { open, gaveWay } = member();
    for (let page = 1; page <= streamsPerMember; page += 1) open(`page ${page}`, `session ${page % 10}`);
    open('of somebody else', 'session 1', 'omar');
    expect(gaveWay).toEqual([]);
    open('one more', 'new session');
    expect(gaveWay).toEqual(['page 1']);
  });

  test('that were left make room without anybody giving way', () => {
    const { open, gaveWay } = member();
    const leaving = open('first', 's');
    for (let page = 2; page <= streamsPerSession; page += 1) open(`page ${page}`, 's');
    leaving();
    leaving();
    open('sixth', 's');
    expect(gaveWay).toEqual([]);
  });

  test('are never more than allowed, and the newest is always among them', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ session: fc.nat(12), leaves: fc.boolean() }), { maxLength: 200 }), (steps) => {
        const places = new Places();
        const open = new Map<number, string>();
        steps.forEach(({ session, leaves }, page) => {
          const sessionId = String(session);
          const leave = places.take({ userId: 'maya', sessionId }, () => open.delete(page));
          open.set(page, sessionId);
          expect([...open.values()].filter((each) => each === sessionId).length).toBeLessThanOrEqual(streamsPerSession);
          expect(open.size).toBeLessThanOrEqual(streamsPerMember);
          expect(open.has(page)).toBe(true);
          if (!leaves) return;
          leave();
          open.delete(page);
        });
      }),
    );
  });
});
