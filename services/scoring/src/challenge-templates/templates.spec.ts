import { challengeTemplatesRequestSchema, challengeTemplatesSchema } from '@caravan/contracts/http/challenges';
import { describe, expect, test } from 'vitest';
import { defaultTemplates, refusalOf } from './templates.ts';

const fresh = defaultTemplates.map(({ id: _id, ...template }) => template);
const messageOf = (templates: unknown) =>
  challengeTemplatesRequestSchema.safeParse(templates).error?.issues[0]?.message;

describe('the templates of an organisation', () => {
  test('[9.24 D14] are at first a distance of 5 miles, 5 days and a team of 50 miles', () => {
    expect(challengeTemplatesSchema.parse(defaultTemplates)).toEqual(defaultTemplates);
    expect(messageOf(defaultTemplates)).toBeUndefined();
    expect(defaultTemplates.map(({ name }) => name)).toEqual(['Walk 5 miles', 'Log 5 days', 'Team reaches 50 miles']);
  });

  test('[D14] always hold one active challenge of each kind', () => {
    const message = 'Keep at least one active individual distance, individual day and team challenge';
    expect(messageOf([])).toBe(message);
    for (const index of fresh.keys()) {
      expect(messageOf(fresh.filter((_, other) => other !== index))).toBe(message);
      expect(messageOf(fresh.map((one, other) => ({ ...one, isActive: other !== index })))).toBe(message);
    }
  });

  test('[D4 D38] name only what the organisation has, and each only once', () => {
    expect(refusalOf(fresh, defaultTemplates)).toBeUndefined();
    expect(refusalOf(defaultTemplates, defaultTemplates)).toBeUndefined();
    const [first] = defaultTemplates;
    if (!first) throw new Error('there are defaults');
    expect(refusalOf([{ ...first, id: 'foreign' }], defaultTemplates)?.kind).toBe('not-found');
    expect(refusalOf([first, first], defaultTemplates)?.code).toBe('challenge-templates/listed-twice');
  });
});
