import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import { journey, type Arrival, type JourneyCommand, type JourneyEvent } from './journey.ts';

const [first, second, thunder, blazers] = ['journey-1', 'journey-2', 'thunder', 'blazers'];
const at = '2026-06-15T12:00:00.000Z';
const begun: JourneyEvent = {
  type: 'JourneyStarted',
  data: { journeyId: first, routeId: 'hadrians-wall', startsOn: '2026-06-01', startedAt: at },
};
const onTheCamino: JourneyEvent = {
  type: 'JourneyStarted',
  data: { journeyId: second, routeId: 'camino-frances', startsOn: '2026-06-10', startedAt: at },
};
const start = (changes: object = {}): JourneyCommand => ({
  type: 'StartJourney',
  today: '2026-06-15',
  ...onTheCamino.data,
  ...{ routeId: 'camino-frances', startsOn: '2026-06-10', startedAt: at },
  ...changes,
});
const arrival = (teamId: string, checkpoint: number): Arrival => ({ teamId, checkpoint, reachedAt: at });
const note = (journeyId: string, ...arrivals: Arrival[]): JourneyCommand => ({
  type: 'NoteArrivals',
  journeyId,
  arrivals,
});
const reached = (teamId: string, checkpoint: number): JourneyEvent => ({
  type: 'CheckpointReached',
  data: { journeyId: first, routeId: 'hadrians-wall', teamId, checkpoint, reachedAt: at },
});
const given = specOf(journey);

describe('an organisation', () => {
  const begin: JourneyCommand = {
    type: 'BeginJourney',
    ...{ journeyId: first, routeId: 'hadrians-wall', startsOn: '2026-06-01', startedAt: at },
  };

  test('[D33] begins its first journey once; on a journey it begins no other by itself', () => {
    given().when(begin).then(begun);
    given(begun).when(begin).thenNothing();
    given(begun, onTheCamino).when(begin).thenNothing();
  });

  test('[D33] starts the journey that its admin chooses; the same again changes nothing', () => {
    given(begun).when(start()).then(onTheCamino);
    given(begun, onTheCamino)
      .when(start({ journeyId: 'another' }))
      .thenNothing();
  });

  test('[D33] cannot travel a route that does not exist, nor start tomorrow', () => {
    given(begun)
      .when(start({ routeId: 'to-the-moon' }))
      .rejects('journey/unknown-route', 'invalid');
    given(begun)
      .when(start({ startsOn: '2026-06-16' }))
      .rejects('journey/starts-in-the-future', 'invalid');
  });
});

describe('an arrival', () => {
  test('[D33] is noted once for each team and checkpoint', () => {
    given(begun)
      .when(note(first, arrival(thunder, 1), arrival(thunder, 2)))
      .then(reached(thunder, 1), reached(thunder, 2));
    given(begun, reached(thunder, 1))
      .when(note(first, arrival(thunder, 1), arrival(blazers, 1), arrival(blazers, 1)))
      .then(reached(blazers, 1));
    given(begun, reached(thunder, 1))
      .when(note(first, arrival(thunder, 1)))
      .thenNothing();
  });

  test('[D33] of a journey that another has replaced is not noted any more', () => {
    given(begun, onTheCamino)
      .when(note(first, arrival(thunder, 1)))
      .thenNothing();
    given()
      .when(note(first, arrival(thunder, 1)))
      .thenNothing();
  });
});
