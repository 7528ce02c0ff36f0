import { brandTraits } from '@caravan/contracts/http/organisations';
import { teamNameSchema } from '@caravan/contracts/http/organisations';
import { textKey } from '@caravan/contracts/domain/text/text-key';
import { Rejected } from '@caravan/kernel/rejected';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertNames, suggestedNames } from './names.ts';

const nothing: ReadonlySet<string> = new Set();
const bakery = { traits: ['bold', 'playful'], industry: 'Bakery & food' };

describe('names that are suggested', () => {
  test('[D20] are the same for the same team, and others for another one', () => {
    const names = suggestedNames(bakery, 'thunder', nothing);
    expect(suggestedNames(bakery, 'thunder', nothing)).toEqual(names);
    expect(suggestedNames(bakery, 'blazers', nothing)).not.toEqual(names);
  });

  test('[D20] speak of traits and industry, in words of our own', () => {
    const names = suggestedNames(bakery, 'thunder', nothing);
    const words = /^(Bold|Daring|Fearless|Mighty|Brave|Roaring|Bouncing|Jolly|Cheeky|Dancing|Merry|Giddy) /;
    for (const name of names) expect(name).toMatch(words);
    const ofBakers = names.filter((name) => / (Peppers|Chefs|Bakers|Ladles|Spices|Pretzels)$/.test(name));
    expect(ofBakers).toHaveLength(2);
    const typed = suggestedNames({ traits: [], industry: 'evil <script>' }, 'thunder', nothing);
    expect(typed.join()).not.toMatch(/evil|script/i);
  });

  test.each(['Software', 'evil <script>', null])('[D20] carry no number while there are others: %s', (industry) => {
    const names = suggestedNames({ ...bakery, industry }, 'thunder', nothing);
    expect(names).toHaveLength(4);
    expect(names.join()).not.toMatch(/\d/);
  });

  test('[D20] are three to five by the rules of team names, none taken, for however many teams', () => {
    const company = fc.record({
      traits: fc.subarray([...brandTraits], { maxLength: 3 }),
      industry: fc.option(fc.constantFrom('Software', 'Banking', 'Retail', 'Mills', '')),
    });
    fc.assert(
      fc.property(company, fc.integer({ min: 1, max: 40 }), (one, teams) => {
        const taken = new Set<string>();
        for (let nth = 0; nth < teams; nth += 1) {
          const names = suggestedNames(one, `team-${nth}`, taken);
          expect(names.length).toBeGreaterThanOrEqual(3);
          expect(names.length).toBeLessThanOrEqual(5);
          expect(names.map((name) => teamNameSchema.parse(name))).toEqual(names);
          for (const name of names) {
            expect(taken.has(textKey(name))).toBe(false);
            taken.add(textKey(name));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('names that are typed', () => {
  const problem = (...names: string[]) => {
    try {
      assertNames(names, new Set(['blazers']));
      return undefined;
    } catch (error) {
      return error instanceof Rejected ? [error.code, error.message] : error;
    }
  };

  test('[D20 S36] turn no text around them', () => {
    expect(teamNameSchema.safeParse('Foxes \u202egnp').error?.issues[0]?.message).toBe(
      'Characters that turn the direction of text are not allowed',
    );
    expect(teamNameSchema.parse(' שועלים ')).toBe('שועלים');
  });

  test('[D20 D38] stand there once, and no other team has them, in any case', () => {
    expect(problem('Otters', 'Foxes', 'Hares')).toBeUndefined();
    expect(problem('Otters', 'Foxes', 'OTTERS')).toEqual(['ballot/twice', 'Each name stands there once']);
    expect(problem('Otters', 'BLAZERS', 'Foxes')).toEqual([
      'ballot/name-taken',
      'There is already a team of this name',
    ]);
  });
});
