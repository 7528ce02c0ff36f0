import { productActivities } from '@caravan/contracts/domain/movement/activities';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activityOfGoogle, activityOfStrava } from './activity-names.ts';

test.each([
  ['Walk', 'Walking'],
  ['TrailRun', 'Running'],
  ['EBikeRide', 'Biking'],
  ['WeightTraining', 'Weightlifting'],
  ['RockClimbing', 'Rock Climbing'],
  ['NordicSki', 'Skiing'],
  ['Kayaking', 'Kayaking'],
])('[D22 3.10] what Strava calls %s is %s here', (theirs, ours) => {
  expect(activityOfStrava(theirs)).toBe(ours);
  expect(productActivities).toContain(ours);
});

test.each([
  ['WALKING', 'Walking'],
  ['TREADMILL_RUNNING', 'Running'],
  ['BIKING', 'Biking'],
  ['YOGA', 'Yoga'],
  ['SWIMMING_POOL', 'Swimming'],
  ['STRENGTH_TRAINING', 'Weightlifting'],
  ['STRETCHING', 'Stretching'],
])('[D22 3.10] what Google calls %s is %s here', (theirs, ours) => {
  expect(activityOfGoogle(theirs)).toBe(ours);
  expect(productActivities).toContain(ours);
});

test('[3.10] what is none of our activities keeps its own name, in words', () => {
  expect(activityOfStrava('HighIntensityIntervalTraining')).toBe('High Intensity Interval Training');
  expect(activityOfStrava('Crossfit')).toBe('Crossfit');
  expect(activityOfGoogle('STAIR_CLIMBING')).toBe('Stair Climbing');
});

test('[3.10] where the type says nothing, the name that the device gives tells', () => {
  expect(activityOfGoogle('OTHER', 'rock climbing')).toBe('Rock Climbing');
  expect(activityOfGoogle('EXERCISE_TYPE_UNSPECIFIED', 'Circus School')).toBe('Circus School');
  expect(activityOfGoogle('WORKOUT', '  ')).toBe('Workout');
  expect(activityOfStrava('')).toBe('Workout');
});

test('[S34] whatever a platform calls a workout is a name of 1 to 60 characters without control characters', () => {
  const isName = (name: string) => name.length > 0 && [...name].length <= 60 && !/\p{Cc}/u.test(name);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (type, display) => {
      expect(isName(activityOfStrava(type))).toBe(true);
      expect(isName(activityOfGoogle(type, display))).toBe(true);
    }),
  );
  for (const name of ['__proto__', 'constructor', 'toString']) expect(typeof activityOfStrava(name)).toBe('string');
});
