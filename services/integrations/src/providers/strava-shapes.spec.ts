import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noticesOfStrava, pageOfStrava, stravaActivitiesSchema, stravaFirstTokensSchema } from './strava-shapes.ts';

/** Of Strava's documentation. */
const sample = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`samples/strava.${name}.json`, import.meta.url), 'utf8'));
const activities = () => stravaActivitiesSchema.parse(sample('activities'));

describe('what Strava documents', () => {
  test('[3.10 D6] is read: minutes are whole minutes of moving, and what was not measured is nothing', () => {
    const { workouts, unreadable, next } = pageOfStrava(activities(), 1);
    expect({ unreadable, next }).toEqual({ unreadable: 0, next: '2' });
    expect(workouts).toMatchObject([
      {
        externalId: '154504250376823',
        activityType: 'Biking',
        durationMinutes: 75,
        meters: 24_931,
        startedAt: new Date('2018-05-02T12:15:09Z'),
        heartRate: 140,
        calories: null,
      },
      { externalId: '1234567809', activityType: 'Running', durationMinutes: 0, meters: null, heartRate: null },
    ]);
  });

  test('[D21] is kept without title, place, route and gear', () => {
    const { workouts } = pageOfStrava(activities(), 1);
    expect(Object.keys(workouts[0]?.raw as object).toSorted()).toEqual([
      'average_heartrate',
      'distance',
      'elapsed_time',
      'id',
      'manual',
      'moving_time',
      'private',
      'sport_type',
      'start_date',
      'timezone',
    ]);
  });

  test('tokens name the athlete', () => {
    expect(stravaFirstTokensSchema.parse(sample('token'))).toMatchObject({ athlete: { id: 134_815 } });
  });

  test('a change names its workout, a withdrawal its owner', () => {
    const at = new Date(1_516_126_040_000);
    expect(noticesOfStrava(sample('event.update'))).toEqual([
      { kind: 'changed', providerUserId: '134815', externalId: '1360128428', from: null, to: null, at },
    ]);
    expect(noticesOfStrava({ ...(sample('event.update') as object), aspect_type: 'delete' })).toMatchObject([
      { kind: 'deleted', externalId: '1360128428' },
    ]);
    const revoked = { kind: 'revoked', providerUserId: '134815', at };
    expect(noticesOfStrava(sample('event.deauthorised'))).toEqual([revoked]);
    const withBoolean = { ...(sample('event.deauthorised') as object), updates: { authorized: false } };
    expect(noticesOfStrava(withBoolean)).toEqual([revoked]);
  });
});

test('[S34] an activity that cannot be read is counted and holds the others back from nothing', () => {
  const broken = [{ id: 'x' }, null, 7, { ...(activities()[0] as object), moving_time: -1 }];
  const page = pageOfStrava([...broken, ...activities()], 3);
  expect([page.unreadable, page.workouts.length, page.next]).toEqual([4, 2, '4']);
});

test('[S34] the last page is the empty one', () => {
  expect(pageOfStrava([], 5)).toEqual({ workouts: [], unreadable: 0 });
});

test('[S33] what tells of something else, or nothing that can be read, says nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (anything) => {
      expect(noticesOfStrava(anything)).toEqual([]);
    }),
  );
  const event = sample('event.update') as object;
  expect(noticesOfStrava({ ...event, object_type: 'segment' })).toEqual([]);
  expect(noticesOfStrava({ ...event, object_type: 'athlete', updates: { weight: 1 } })).toEqual([]);
});
