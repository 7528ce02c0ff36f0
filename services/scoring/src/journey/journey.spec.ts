import { fold } from '@caravan/event-store/core/decider';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { journey, type Arrival, type JourneyCommand, type JourneyEvent } from './journey.ts';
import { routeOfId } from './position.ts';

const first = 'journey-1';
const second = 'journey-2';
const thunder = 'thunder';
const blazers = 'blazers';
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
  routeId: 'camino-frances',
  startsOn: '2026-06-10',
  startedAt: at,
  ...changes,
});
const arrival = (teamId: string, checkpoint: number): Arrival => ({ teamId, checkpoint, reachedAt: at });
const note = (journeyId: string, ...arrivals: Arrival[]): JourneyCommand => ({
  type: 'NoteArrivals',
  journeyId,
  arrivals,
});
const reachedEvent = (teamId: string, checkpoint: number): JourneyEvent => ({
  type: 'CheckpointReached',
  data: { journeyId: first, routeId: 'hadrians-wall', teamId, checkpoint, reachedAt: at },
});
const given = specOf(journey);
const context = { by: null, orgId: 'org', at: new Date(at) };
/** Mile marks of the first route behind its start. */
const marks = (routeOfId('hadrians-wall')?.checkpoints ?? []).slice(1).map(({ mileMark }) => mileMark);

describe('an organisation', () => {
  const begin: JourneyCommand = {
    type: 'BeginJourney',
    journeyId: first,
    routeId: 'hadrians-wall',
    startsOn: '2026-06-01',
    startedAt: at,
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

  test('[D33] starts again where the route or the date is another', () => {
    const startedEvent = (routeId: string, startsOn: string): JourneyEvent => ({
      type: 'JourneyStarted',
      data: { journeyId: 'another', routeId, startsOn, startedAt: at },
    });
    given(begun, onTheCamino)
      .when(start({ journeyId: 'another', startsOn: '2026-06-11' }))
      .then(startedEvent('camino-frances', '2026-06-11'));
    given(begun, onTheCamino)
      .when(start({ journeyId: 'another', routeId: 'hadrians-wall' }))
      .then(startedEvent('hadrians-wall', '2026-06-10'));
    given().when(start()).then(onTheCamino);
  });

  test('[D33] may start today', () => {
    given(begun)
      .when(start({ startsOn: '2026-06-15' }))
      .then({
        type: 'JourneyStarted',
        data: { journeyId: second, routeId: 'camino-frances', startsOn: '2026-06-15', startedAt: at },
      });
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
      .then(reachedEvent(thunder, 1), reachedEvent(thunder, 2));
    given(begun, reachedEvent(thunder, 1))
      .when(note(first, arrival(thunder, 1), arrival(blazers, 1), arrival(blazers, 1)))
      .then(reachedEvent(blazers, 1));
    given(begun, reachedEvent(thunder, 1))
      .when(note(first, arrival(thunder, 1)))
      .thenNothing();
  });

  test('[D33] on a new journey is noted again at a checkpoint of the same number', () => {
    given(begun, reachedEvent(thunder, 1), onTheCamino)
      .when(note(second, arrival(thunder, 1)))
      .then({
        type: 'CheckpointReached',
        data: { journeyId: second, routeId: 'camino-frances', teamId: thunder, checkpoint: 1, reachedAt: at },
      });
  });

  test('[D33] that was recorded late, for a journey that is over, says nothing of the one that runs', () => {
    given(begun, onTheCamino, reachedEvent(thunder, 1))
      .when(note(second, arrival(thunder, 1)))
      .then({
        type: 'CheckpointReached',
        data: { journeyId: second, routeId: 'camino-frances', teamId: thunder, checkpoint: 1, reachedAt: at },
      });
    given(reachedEvent(thunder, 1), begun)
      .when(note(first, arrival(thunder, 1)))
      .then(reachedEvent(thunder, 1));
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

test('[D8 D33] whatever teams earn and lose, and however often somebody looks, each checkpoint is reached once', () => {
  const change = fc.record({
    team: fc.constantFrom(thunder, blazers),
    centimiles: fc.integer({ min: -900, max: 1_800 }),
    isLookedAt: fc.boolean(),
  });
  const hit = { lostAndBack: 0, seenNothing: 0, both: 0 };
  const property = fc.property(fc.array(change, { maxLength: 24, size: 'max' }), (changes) => {
    const events: JourneyEvent[] = [begun];
    const sums = new Map<string, number>();
    const furthest = new Map<string, number>();
    const lost = new Set<string>();
    for (const { team, centimiles, isLookedAt } of changes) {
      const sum = (sums.get(team) ?? 0) + centimiles;
      sums.set(team, sum);
      const reaches = marks.filter((mark) => mark * 100 <= sum).length;
      if (reaches < (furthest.get(team) ?? 0)) lost.add(team);
      else if (lost.has(team) && isLookedAt && reaches > 0) hit.lostAndBack += 1;
      if (!isLookedAt) continue;
      furthest.set(team, Math.max(furthest.get(team) ?? 0, reaches));
      // Who looks may know no better than that all of it is new.
      const all = Array.from({ length: reaches }, (_, nth) => arrival(team, nth + 1));
      events.push(...journey.decide(note(first, ...all), fold(journey, events), context));
    }
    const noted = events.flatMap(({ type, data }) =>
      type === 'CheckpointReached' ? [`${data.teamId} ${data.checkpoint}`] : [],
    );
    const expected = [...furthest].flatMap(([team, most]) =>
      Array.from({ length: most }, (_, nth) => `${team} ${nth + 1}`),
    );
    expect(noted.toSorted()).toEqual(expected.toSorted());
    if (noted.length === 0) hit.seenNothing += 1;
    if (new Set(noted.map((one) => one.split(' ')[0])).size === 2) hit.both += 1;
  });
  fc.assert(property, { numRuns: 10_000 });
  for (const [what, times] of Object.entries(hit)) expect(times, what).toBeGreaterThan(100);
}, 60_000);

test('[ADR-0001] journeys are found under the category that they were stored under', () => {
  expect(journey.category).toBe('journey');
});
