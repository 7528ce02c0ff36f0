import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dataPointsSchema, googleTokensSchema, noticesOfGoogle, pageOfGoogle } from './google-health-shapes.ts';

/** Of Google's documentation. */
const sample = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`samples/google-health.${name}.json`, import.meta.url), 'utf8'));
const points = () => dataPointsSchema.parse(sample('data-points'));
const august = { from: new Date('2026-08-01T00:00:00Z'), to: new Date('2026-09-01T00:00:00Z') };
const now = new Date('2026-08-20T12:00:00Z');

describe('what Google documents', () => {
  test('[3.10 D6] is read: minutes are whole minutes of moving, numbers may be strings', () => {
    const { workouts, unreadable, next } = pageOfGoogle(points(), august);
    expect({ unreadable, next }).toEqual({ unreadable: 0, next: 'CAUQAA' });
    expect(workouts).toMatchObject([
      {
        externalId: '2026443605080188808',
        activityType: 'Running',
        durationMinutes: 30,
        meters: 5_012,
        heartRate: 154,
        calories: 320,
        startedAt: new Date('2026-08-18T06:00:00Z'),
        changedAt: new Date('2026-08-18T07:00:00.123Z'),
      },
      {
        externalId: 'no-metrics',
        activityType: 'Stair Climbing',
        durationMinutes: 20,
        meters: null,
        heartRate: null,
        calories: null,
        changedAt: null,
      },
    ]);
  });

  test('[D21] is kept without the name that its owner gave it', () => {
    expect(JSON.stringify(pageOfGoogle(points(), august).workouts)).not.toMatch(/displayName|"Run"/);
  });

  test('tokens name what was allowed', () => {
    expect(googleTokensSchema.parse(sample('token')).scope).toContain('activity_and_fitness');
  });

  test('a change names its time, which is that of an exercise', () => {
    const providerUserId = '2515055256096816351';
    expect(noticesOfGoogle(sample('notification'), now)).toEqual([
      {
        kind: 'changed',
        providerUserId,
        externalId: null,
        at: now,
        from: new Date('2026-08-18T06:00:00Z'),
        to: new Date('2026-08-20T06:00:00Z'),
      },
      {
        kind: 'deleted',
        providerUserId,
        externalId: null,
        at: now,
        from: new Date('2026-08-19T12:00:00Z'),
        to: now,
      },
    ]);
  });
});

test('[S34] an exercise that cannot be read is counted and holds the others back from nothing', () => {
  const { dataPoints } = points();
  const page = pageOfGoogle(
    { dataPoints: [{}, null, { name: 'x/dataPoints/1', exercise: {} }, ...dataPoints] },
    august,
  );
  expect([page.unreadable, page.workouts.length]).toEqual([3, 2]);
});

test('[S34] an exercise that began at another time than was asked for is left out', () => {
  const span = { from: new Date('2026-08-18T06:00:00Z'), to: new Date('2026-08-18T06:00:01Z') };
  expect(pageOfGoogle(points(), span)).toMatchObject({ workouts: [{ activityType: 'Running' }], unreadable: 0 });
});

test('[S33] what tells of something else, or nothing that can be read, says nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (anything) => {
      expect(noticesOfGoogle(anything, now)).toEqual([]);
    }),
  );
  expect(noticesOfGoogle({ type: 'verification' }, now)).toEqual([]);
});
