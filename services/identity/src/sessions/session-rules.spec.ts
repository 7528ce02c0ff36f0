import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absoluteDays, expiryOf, graceMilliseconds, idleAfter, idleDays, isLive, verdictOn } from './session-rules.ts';

const start = new Date('2026-11-01T08:00:00Z');
const day = 86_400_000;
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const session = { idleAt: after(idleDays * day), expiresAt: after(absoluteDays * day), endedAt: null };
const newest = { usedAt: null, isChildUsed: false };

describe('a session', () => {
  test('[S05] ends a week after it was last refreshed and thirty days after it began', () => {
    expect(expiryOf(start)).toEqual(after(30 * day));
    expect(idleAfter(start, expiryOf(start))).toEqual(after(7 * day));
    expect(idleAfter(after(28 * day), expiryOf(start))).toEqual(after(30 * day));
  });

  test('[S05] refreshed as often as one likes never outlives its thirty days', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7 * day - 1 }), { maxLength: 60 }), (pauses) => {
        let times = { ...session };
        let at = start;
        for (const pause of pauses) {
          at = new Date(at.getTime() + pause);
          if (isLive(times, at)) times = { ...times, idleAt: idleAfter(at, times.expiresAt) };
        }
        expect(times.idleAt.getTime()).toBeLessThanOrEqual(times.expiresAt.getTime());
        expect(isLive(times, after(30 * day))).toBe(false);
      }),
    );
  });
});

describe('a refresh token', () => {
  test('[S05] that is the newest is exchanged', () => {
    expect(verdictOn(newest, session, after(day))).toBe('exchange');
  });

  test.each([
    ['idle for a week', session, after(7 * day)],
    ['thirty days old', { ...session, idleAt: after(99 * day) }, after(30 * day)],
    ['ended', { ...session, endedAt: start }, after(1)],
  ])('[S05] of a session that is %s is refused', (_, times, at) => {
    expect(verdictOn(newest, times, at)).toBe('over');
    expect(verdictOn({ usedAt: at, isChildUsed: false }, times, at)).toBe('over');
  });

  test('[S05] whose answer may have been lost is answered again for ten seconds', () => {
    const used = { usedAt: after(day), isChildUsed: false };
    expect(verdictOn(used, session, after(day + graceMilliseconds))).toBe('repeat');
    expect(verdictOn(used, session, after(day + graceMilliseconds + 1))).toBe('reuse');
  });

  test('[S05] that is not the direct parent of the newest has no grace', () => {
    expect(verdictOn({ usedAt: after(day), isChildUsed: true }, session, after(day + 1))).toBe('reuse');
  });
});
