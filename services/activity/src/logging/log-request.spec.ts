import { logAnswerSchema, logRequestSchema } from '@caravan/contracts/http/movement';
import { describe, expect, test } from 'vitest';
import { answerOf, commandOf, textsOf } from './movement.service.ts';
import { nothingMeasured } from './public-events.ts';
import { hasOwnTexts } from './texts.store.ts';
import type { MovementEvent } from './movement-events.ts';

const member = { teamId: 'team', timeZone: 'Europe/Berlin', centimiles: 12_540 };
const ids = {
  logId: '019a8c10-0000-7000-8000-000000000041',
  userId: 'maya',
  bonus: undefined,
  notCounted: null,
  reach: 'week' as const,
};
const body = logRequestSchema.parse({ activityType: 'Walking', durationMinutes: 30 });
const logged = { type: 'MovementLogged', data: { logId: ids.logId, centimiles: 300, multiplier: 1 } } as Extract<
  MovementEvent,
  { type: 'MovementLogged' }
>;

describe('a request to log', () => {
  test('[D6] is a manual entry unless it says otherwise', () => {
    expect(commandOf(body, member, ids)).toEqual({
      type: 'LogMovement',
      ...ids,
      teamId: 'team',
      timeZone: 'Europe/Berlin',
      activity: 'Walking',
      durationMinutes: 30,
      source: 'manual',
      startedAt: undefined,
      coveredMiles: undefined,
    });
  });

  test('[D3 D38] names neither member nor team nor miles: such fields are ignored', () => {
    const protectedFields = { userId: 'omar', teamId: 'other', orgId: 'other', centimiles: 99_999, multiplier: 9 };
    const parsed = logRequestSchema.parse({ ...body, ...protectedFields });
    expect(commandOf(parsed, member, ids)).toEqual(commandOf(body, member, ids));
  });
});

describe('what a member typed', () => {
  test.each([
    [{}, { activityType: 'Walking', caption: null, location: null }, false],
    [{ photoPrompt: '  ', location: '' }, { activityType: 'Walking', caption: null, location: null }, false],
    [{ photoPrompt: ' Hi ' }, { activityType: 'Walking', caption: 'Hi', location: null }, true],
    [{ location: 'Canal' }, { activityType: 'Walking', caption: null, location: 'Canal' }, true],
    [{ activityType: 'Juggling' }, { activityType: 'Juggling', caption: null, location: null }, true],
  ])('%j is kept as %j', (changes, texts, isKept) => {
    expect(textsOf(logRequestSchema.parse({ ...body, ...changes }))).toEqual(texts);
    expect(hasOwnTexts({ ...texts, ...nothingMeasured })).toBe(isKept);
  });
});

describe('the answer', () => {
  test('[D16] carries miles, not hundredths, and the total with this log', () => {
    const answer = answerOf(logged, member, undefined);
    expect(logAnswerSchema.parse(answer)).toEqual({
      id: ids.logId,
      milesEarned: 3,
      multiplier: 1,
      totalMiles: 128.4,
      bonusApplied: false,
    });
  });

  test('[D40] says why a bonus challenge does not apply, which never costs the log', () => {
    expect(answerOf(logged, member, 'bonus/closed')).toMatchObject({
      milesEarned: 3,
      multiplier: 1,
      bonusApplied: false,
      bonusReason: 'bonus/closed',
    });
  });

  test('[9.4 D15 D16] carries the multiplier of a bonus challenge that applies', () => {
    const bonus = { challengeId: 'challenge', multiplier: 2, targetDurationMinutes: 20 };
    const doubled = { ...logged, data: { ...logged.data, centimiles: 600, multiplier: 2, bonus } } as Extract<
      MovementEvent,
      { type: 'MovementLogged' }
    >;
    const answer = answerOf(doubled, member, undefined);
    expect(answer).toMatchObject({ milesEarned: 6, multiplier: 2, totalMiles: 131.4, bonusApplied: true });
    expect(answer).not.toHaveProperty('bonusReason');
  });
});
