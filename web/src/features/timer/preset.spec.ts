import { expect, test } from 'vitest';
import { presetOf } from './preset.ts';

test.each([
  [{ preset: 'true', duration: '30', activity: 'Walking', bonusChallenge: 'b1' }, true, 'Walking', 'b1'],
  [{ preset: 'true', duration: '30' }, false, undefined, undefined],
  [{ preset: 'true', activity: 'Walking' }, false, undefined, undefined],
  [{ preset: 'true', duration: 'long', activity: 'Walking' }, false, undefined, undefined],
  [{ preset: 'quick' }, false, undefined, undefined],
  [{ duration: '30', activity: 'Walking' }, false, undefined, undefined],
  [{}, false, undefined, undefined],
])('[2.64 2.65 2.66 D44] %j starts at once: %s', (search, startsAtOnce, activity, bonusChallengeId) => {
  expect(presetOf(search)).toMatchObject({ startsAtOnce, activity, bonusChallengeId });
});
