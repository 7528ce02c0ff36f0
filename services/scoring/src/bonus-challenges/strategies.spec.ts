import { presetActivities } from '@caravan/contracts/domain/movement/activities';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proposalFor, strategies } from './strategies.ts';
import type { Figures } from './strategies.ts';

const quiet: Figures = {
  centimilesByActivity: { Walking: 900, Running: 400, Biking: 700, Stretching: 100 },
  centimilesLately: 2_100,
  centimilesBefore: 2_000,
  teamCentimiles: [4_200, 3_000],
  streaks: { alive: 10, atRisk: 1 },
  lastStrategy: null,
};
const falling = { centimilesLately: 1_999, centimilesBefore: 2_000 };
const close = { teamCentimiles: [3_000, 1_000, 2_700] };
const atRisk = { streaks: { alive: 10, atRisk: 5 } };
const strategyOf = (figures: Partial<Figures>) => proposalFor({ ...quiet, ...figures }).strategy;

describe('a bonus challenge', () => {
  test('[3.11 D15] asks for the activity least done when logging falls', () => {
    expect(proposalFor({ ...quiet, ...falling })).toEqual({
      strategy: 'momentum_boost',
      activityType: 'Stretching',
      targetDurationMinutes: 20,
    });
    expect(proposalFor({ ...quiet, ...falling, centimilesByActivity: { Walking: 10 } }).activityType).toBe('Running');
  });

  test('[3.11 D15] asks for what most people do when two teams are within 10 %', () => {
    expect(proposalFor({ ...quiet, ...close })).toMatchObject({ strategy: 'competitive', activityType: 'Walking' });
    expect(strategyOf({ teamCentimiles: [3_000, 2_699] })).not.toBe('competitive');
    expect(strategyOf({ teamCentimiles: [0, 0] })).not.toBe('competitive');
  });

  test('[3.11 D15] asks for something short when many streaks are at risk', () => {
    expect(proposalFor({ ...quiet, ...atRisk })).toMatchObject({ strategy: 'consistency', targetDurationMinutes: 15 });
    expect(strategyOf({ streaks: { alive: 0, atRisk: 0 } })).not.toBe('consistency');
  });

  test('[D15] comes by another strategy than last time where two fit', () => {
    expect(strategyOf({ ...falling, ...close })).toBe('momentum_boost');
    expect(strategyOf({ ...falling, ...close, lastStrategy: 'momentum_boost' })).toBe('competitive');
    expect(strategyOf({ ...falling, lastStrategy: 'momentum_boost' })).toBe('momentum_boost');
  });

  test('[D15] of an organisation where nothing has happened yet is something that the timer offers first', () => {
    const nothing = { centimilesByActivity: {}, centimilesLately: 0, centimilesBefore: 0, teamCentimiles: [0, 0] };
    expect(proposalFor({ ...nothing, streaks: { alive: 0, atRisk: 0 }, lastStrategy: null })).toEqual({
      strategy: 'momentum_boost',
      activityType: 'Walking',
      targetDurationMinutes: 20,
    });
  });

  test('[D15] is by a strategy whose condition holds, whatever the figures, and can be done by everybody', () => {
    const count = fc.nat({ max: 5_000 });
    const figuresArbitrary = fc.record({
      centimilesByActivity: fc.dictionary(fc.constantFrom(...presetActivities.map(({ name }) => name)), count),
      centimilesLately: count,
      centimilesBefore: count,
      teamCentimiles: fc.array(count, { maxLength: 6 }),
      streaks: fc.tuple(count, count).map(([lit, risk]) => ({ alive: lit + risk, atRisk: risk })),
      lastStrategy: fc.constantFrom(null, ...strategies),
    });
    fc.assert(
      fc.property(figuresArbitrary, (figures) => {
        const { strategy, activityType, targetDurationMinutes } = proposalFor(figures);
        const { centimilesLately, centimilesBefore, teamCentimiles, streaks, lastStrategy } = figures;
        const pairs = teamCentimiles.flatMap((a, i) => teamCentimiles.slice(i + 1).map((b) => [a, b] as const));
        const fits = {
          momentum_boost: centimilesLately < centimilesBefore,
          competitive: pairs.some(([a, b]) => Math.min(a, b) > 0 && Math.min(a, b) >= 0.9 * Math.max(a, b)),
          consistency: streaks.atRisk > 0 && streaks.atRisk >= streaks.alive / 2,
        };
        const holding = strategies.filter((one) => fits[one]);
        expect(holding.length === 0 ? ['momentum_boost'] : holding).toContain(strategy);
        if (holding.length > 1) expect(strategy).not.toBe(lastStrategy);
        const centimilesOf = (name: string) => figures.centimilesByActivity[name] ?? 0;
        const others = presetActivities.map(({ name }) => centimilesOf(name));
        if (strategy === 'momentum_boost') expect(centimilesOf(activityType)).toBe(Math.min(...others));
        if (strategy === 'competitive') expect(centimilesOf(activityType)).toBe(Math.max(...others));
        expect(targetDurationMinutes).toBeGreaterThanOrEqual(10);
      }),
      { numRuns: 10_000 },
    );
  });
});
