import { describe, expect, test } from 'vitest';
import { logRequestSchema } from './movement.ts';
import { pageQuerySchema } from './paging.ts';

const log = { activityType: 'Walking', durationMinutes: 30 };
const messageOf = (body: unknown) => {
  const result = logRequestSchema.safeParse(body);
  return result.success ? null : result.error.issues[0]?.message;
};

describe('the body of POST /api/log', () => {
  test.each([
    [log, null],
    [{ ...log, durationMinutes: 10 }, null],
    [{ ...log, durationMinutes: 9 }, 'Duration must be at least 10 minutes'],
    [{ ...log, durationMinutes: 0 }, 'Duration must be at least 10 minutes'],
    [{ ...log, durationMinutes: -30 }, 'Duration must be at least 10 minutes'],
    [{ ...log, durationMinutes: 1440 }, null],
    [{ ...log, durationMinutes: 1441 }, 'Duration must be at most 1440 minutes'],
    [{ ...log, durationMinutes: 30.5 }, 'Duration must be a whole number of minutes'],
    [{ ...log, durationMinutes: '30' }, 'Duration must be a whole number of minutes'],
    [{ ...log, durationMinutes: 1, source: 'timer' }, null],
    [{ ...log, durationMinutes: 0, source: 'timer' }, 'Activity must be at least 1 minute to log.'],
    [{ ...log, source: 'strava' }, 'Source must be timer or manual'],
    [{ durationMinutes: 30 }, 'Activity type is required'],
    [{ ...log, activityType: '  ' }, 'Activity type is required'],
    [{ ...log, activityType: 'x'.repeat(500) }, 'Activity type must be at most 60 characters'],
    [{ ...log, startedAt: 'yesterday' }, 'Invalid date format'],
    [{ ...log, startedAt: '2026-11-20T10:00:00+01:00' }, null],
    [{ ...log, photoPrompt: 'x'.repeat(2001) }, 'At most 2000 characters'],
  ])('[5.7 D6 D40] %j is answered with %j', (body, message) => {
    expect(messageOf(body)).toBe(message);
  });
});

describe('paging', () => {
  test.each([
    [{}, 10],
    [{ limit: '25' }, 25],
    [{ limit: '51' }, 50],
    [{ limit: '100000' }, 50],
  ])('[D17 D38] %j asks for %i', (query, limit) => {
    expect(pageQuerySchema(10).parse(query).limit).toBe(limit);
  });

  test.each([[{ limit: '0' }], [{ limit: '-1' }], [{ limit: 'ten' }], [{ limit: '1.5' }]])(
    '[D38] %j is refused',
    (query) => {
      expect(pageQuerySchema(10).safeParse(query).success).toBe(false);
    },
  );
});
