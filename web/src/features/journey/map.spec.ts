import type { Checkpoint } from '@caravan/contracts/http/journeys';
import { readdirSync, readFileSync } from 'node:fs';
import { geoDistance } from 'd3-geo';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawMap, sizeFor, type Outlines } from './drawing.ts';
import { placeLabels, spreadBubbles } from './layout.ts';
import camino from './outlines/camino-frances.json' with { type: 'json' };
import { placeAfter, placeOf } from './way.ts';

const size = sizeFor(true);

const at = (name: string, mileMark: number, longitude: number, latitude: number): Checkpoint => ({
  name,
  country: 'Spain',
  mileMark,
  longitude,
  latitude,
  story: '',
});
const route = [at('Start', 0, -1.2, 43.2), at('Middle', 100, -3.7, 42.3), at('Goal', 300, -8.5, 42.9)];

test('[D33] a team stands at a stop when its miles are those of the stop, and on the line between two', () => {
  expect(placeAfter(route, 0)).toEqual([-1.2, 43.2]);
  expect(placeAfter(route, 300)).toEqual([-8.5, 42.9]);
  expect(placeAfter(route, 9999)).toEqual([-8.5, 42.9]);
  const halfway = placeAfter(route, 200);
  const [middle, goal] = route.slice(1).map(placeOf);
  expect(geoDistance(halfway, middle ?? [0, 0])).toBeCloseTo(geoDistance(halfway, goal ?? [0, 0]), 9);
});

test('[D33] further on in miles is further on the way', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 299, noNaN: true }), (miles) => {
      expect(placeAfter(route, miles)[0]).toBeGreaterThan(placeAfter(route, miles + 1)[0]);
    }),
  );
});

test('[D33] no bubble covers another, however close the teams walk', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ x: fc.integer({ min: 100, max: 140 }), y: fc.integer({ min: 150, max: 170 }) }), {
        maxLength: 8,
      }),
      (spots) => {
        const bubbles = spreadBubbles(size, spots);
        for (const [index, one] of bubbles.entries())
          for (const other of bubbles.slice(index + 1))
            expect(Math.hypot(one.at.x - other.at.x, one.at.y - other.at.y)).toBeGreaterThanOrEqual(34);
      },
    ),
  );
});

test('[D33] names stand inside the map and leave out what has no room', () => {
  const crowd = Array.from({ length: 30 }, (_, index) => ({ name: `Puente la Reina ${index}`, x: 20 + index, y: 100 }));
  const labels = placeLabels(crowd, [], size);
  expect(labels.length).toBeGreaterThan(0);
  expect(labels.length).toBeLessThan(crowd.length);
});

test('[D33] the map holds land, every team and every stop; the close view only what is near', () => {
  const teams = ['a', 'b'].map((id, index) => ({
    id,
    name: id,
    emoji: '⚡',
    miles: index * 20,
    lastCheckpoint: 'Start',
    nextCheckpoint: 'Middle',
    milesToNext: 100,
  }));
  const drawn = drawMap({
    checkpoints: route,
    teams,
    ownTeamId: 'b',
    view: 'route',
    outlines: camino as unknown as Outlines,
    size,
  });
  expect(drawn.land.length).toBeGreaterThan(100);
  expect(drawn.stops.map(({ name, isReached }) => [name, isReached])).toEqual([
    ['Start', true],
    ['Middle', false],
    ['Goal', false],
  ]);
  expect(drawn.bubbles.map(({ id, isOwn }) => [id, isOwn])).toEqual([
    ['b', true],
    ['a', false],
  ]);
  const near = drawMap({ checkpoints: route, teams, ownTeamId: 'b', view: 'here', outlines: null, size });
  expect(near.stops.map(({ name }) => name)).toEqual(['Start', 'Middle']);
});

test('[D33] every route that can be travelled has its land', () => {
  const root = `${import.meta.dirname}/../../../..`;
  const { routes } = JSON.parse(readFileSync(`${root}/services/scoring/src/journey/routes.json`, 'utf8')) as {
    routes: { id: string }[];
  };
  expect(readdirSync(`${import.meta.dirname}/outlines`).toSorted()).toEqual(
    routes.map(({ id }) => `${id}.json`).toSorted(),
  );
});
