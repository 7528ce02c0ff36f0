import { logAnswerSchema, logRequestSchema } from '@caravan/contracts/http/movement';
import { describe, expect, test } from 'vitest';
import { answerOf, commandOf } from './movement.service.ts';
import { hasOwnTexts, noDetails, textsOf } from './texts.ts';
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
    [{}, {}, false],
    [{ photoPrompt: '  ', location: '' }, {}, false],
    [{ photoPrompt: ' Hi ' }, { caption: 'Hi' }, true],
    [{ location: 'Canal' }, { location: 'Canal' }, true],
    [{ perceivedEffort: 4 }, { perceivedEffort: 4 }, true],
    [{ activityType: 'Juggling' }, { activityType: 'Juggling' }, true],
  ])('%j is kept as %j', (changes, differences, isKept) => {
    const texts = { ...noDetails, activityType: 'Walking', ...differences };
    expect({ ...noDetails, ...textsOf(logRequestSchema.parse({ ...body, ...changes })) }).toEqual(texts);
    expect(hasOwnTexts(texts)).toBe(isKept);
  });

  test.each([0, 6, 2.5, '3', null])('%j is no effort, which is a whole number from 1 to 5', (perceivedEffort) => {
    const { error } = logRequestSchema.safeParse({ ...body, perceivedEffort });
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['perceivedEffort', 'Effort must be a whole number from 1 to 5'],
    ]);
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
