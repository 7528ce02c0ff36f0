import { routeIds, routeSchema } from '@caravan/contracts/http/journeys';
import { describe, expect, test } from 'vitest';
import { firstRouteId, routeOfId, routes } from './position.ts';

const radiusMiles = 3_958.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** As the crow flies, in miles. */
function distance(a: { longitude: number; latitude: number }, b: { longitude: number; latitude: number }): number {
  const from = radians(a.latitude);
  const to = radians(b.latitude);
  const half = (angle: number) => Math.sin(angle / 2) ** 2;
  const chord = half(to - from) + Math.cos(from) * Math.cos(to) * half(radians(b.longitude - a.longitude));
  return 2 * radiusMiles * Math.asin(Math.sqrt(chord));
}

test('[D33] the contract names every route that can be travelled, and no other', () => {
  expect(routeIds).toEqual(routes.map(({ id }) => id));
});

test('[D33] there are at least five routes of different length, each with an id of its own', () => {
  expect(routes.length).toBeGreaterThanOrEqual(5);
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
  expect(new Set(routes.map(({ totalMiles }) => totalMiles)).size).toBe(routes.length);
  expect(routes.map(({ name, totalMiles }) => `${name} ${totalMiles}`)).toEqual(
    expect.arrayContaining(['Camino Francés 484', 'Hadrian’s Wall Path 84', 'Route 66 2448']),
  );
  expect(routeOfId(firstRouteId)).toBe(routes[0]);
});

describe.each(routes.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  const { checkpoints, totalMiles } = route;
  const legs = checkpoints.slice(1).map((to, index) => ({ from: checkpoints[index] ?? to, to }));

  test('[D33] has 8 to 15 checkpoints, from mile 0 to its last mile, each further on', () => {
    expect(routeSchema.strict().parse(route)).toEqual(route);
    expect(checkpoints.length).toBeGreaterThanOrEqual(8);
    expect(checkpoints.length).toBeLessThanOrEqual(15);
    expect([checkpoints[0]?.mileMark, checkpoints.at(-1)?.mileMark]).toEqual([0, totalMiles]);
    for (const { from, to } of legs) expect(to.mileMark).toBeGreaterThan(from.mileMark);
    expect(new Set(checkpoints.map(({ name }) => name)).size).toBe(checkpoints.length);
  });

  test('[D33] tells two sentences of each place', () => {
    for (const { story } of checkpoints) expect(story.match(/[.!?](?= |$)/g), story).toHaveLength(2);
  });

  test('[D33] lies where it is on earth: no leg is shorter than the straight line, nor several times as long', () => {
    for (const { from, to } of legs) {
      const walked = to.mileMark - from.mileMark;
      const straight = distance(from, to);
      expect(straight, `${from.name} – ${to.name}: ${walked}`).toBeLessThan(walked * 1.1 + 1);
      expect(straight, `${from.name} – ${to.name}: ${walked}`).toBeGreaterThan(walked / 2.6);
    }
  });
});
