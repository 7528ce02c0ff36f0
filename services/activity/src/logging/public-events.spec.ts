import { movementLogged } from '@caravan/contracts/activity.events';
import sample from '@caravan/contracts/samples/MovementLogged.v1.json';
import { expect, test } from 'vitest';
import { movementPublicEvents } from './public-events.ts';

test('a logged movement leaves as the frozen sample says', () => {
  const { activityType, caption, location, ...data } = movementLogged.data.parse(sample);
  const event = { type: 'MovementLogged', data: { ...data, activity: 'Walking', coveredCentimiles: null } };
  const publish = movementPublicEvents.MovementLogged;
  if (publish === 'private') throw new Error('MovementLogged leaves this service');
  const texts = { activityType, caption, location };
  expect(publish(event as unknown as Parameters<typeof publish>[0], texts)).toEqual({
    type: 'MovementLogged',
    version: 1,
    data: sample,
  });
});
