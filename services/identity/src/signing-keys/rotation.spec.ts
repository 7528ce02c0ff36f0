import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueSteps, type KeyTimes, type RotationSchedule } from './rotation.ts';

const schedule: RotationSchedule = { activeSeconds: 1_000, publishedAheadSeconds: 100, verifyOnlySeconds: 60 };
const start = new Date('2026-11-16T08:00:00Z').getTime();
const at = (seconds: number) => new Date(start + seconds * 1_000);

/** Applies the steps as the database would. */
function turn(keys: readonly KeyTimes[], now: Date, name: () => string): KeyTimes[] {
  let after = [...keys];
  const change = (kid: string, times: Partial<KeyTimes>) =>
    (after = after.map((key) => (key.kid === kid ? { ...key, ...times } : key)));
  for (const step of dueSteps(keys, now, schedule)) {
    if (step.do === 'forget') after = after.filter(({ kid }) => kid !== step.kid);
    if (step.do === 'retire') change(step.kid, { state: 'verify-only', retiresAt: step.retiresAt });
    if (step.do === 'activate') change(step.kid, { state: 'active', activatedAt: now });
    if (step.do === 'create') {
      const activatedAt = step.state === 'active' ? now : null;
      after.push({ kid: name(), state: step.state, createdAt: now, activatedAt, retiresAt: null });
    }
  }
  return after;
}

function naming() {
  let count = 0;
  return () => `key-${(count += 1)}`;
}

describe('signing keys', () => {
  const name = naming();
  const first = turn([], at(0), name);

  test('[F19] begin with one that signs and one that is published ahead', () => {
    expect(first.map(({ state }) => state)).toEqual(['active', 'standby']);
  });

  test('[F19] stay as they are until the active one is worn', () => {
    expect(dueSteps(first, at(999), schedule)).toEqual([]);
  });

  test('[F19] change over, and the old one verifies for as long as its tokens live', () => {
    expect(dueSteps(first, at(1_000), schedule)).toEqual([
      { do: 'retire', kid: 'key-1', retiresAt: at(1_060) },
      { do: 'activate', kid: 'key-2' },
      { do: 'create', state: 'standby' },
    ]);
    const second = turn(first, at(1_000), name);
    expect(dueSteps(second, at(1_059), schedule)).toEqual([]);
    expect(dueSteps(second, at(1_060), schedule)).toEqual([{ do: 'forget', kid: 'key-1' }]);
  });

  test('[F19] do not change over to a key that verifiers may not know yet', () => {
    const fresh = first.map((key) => (key.state === 'standby' ? { ...key, createdAt: at(950) } : key));
    expect(dueSteps(fresh, at(1_000), schedule)).toEqual([]);
    expect(dueSteps(fresh, at(1_050), schedule)).toHaveLength(3);
  });

  test('[F19] however irregularly they are looked at: one signs, it was published in time, every live token verifies', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 5, maxLength: 60 }), (pauses) => {
        const nameKey = naming();
        let now = 0;
        let keys = turn([], at(now), nameKey);
        const signed: { kid: string; goodUntil: number }[] = [];
        for (const pause of pauses) {
          now += pause;
          keys = turn(keys, at(now), nameKey);
          const active = keys.filter(({ state }) => state === 'active');
          expect(active).toHaveLength(1);
          expect(keys.filter(({ state }) => state === 'standby')).toHaveLength(1);
          for (const { createdAt, activatedAt } of active.filter((key) => key.createdAt > at(0)))
            expect(Number(activatedAt) - Number(createdAt)).toBeGreaterThanOrEqual(100_000);
          signed.push({ kid: active[0]?.kid ?? '', goodUntil: now + schedule.verifyOnlySeconds });
          const known = new Set(keys.map((key) => key.kid));
          for (const token of signed) if (token.goodUntil > now) expect(known.has(token.kid)).toBe(true);
        }
      }),
    );
  });
});
