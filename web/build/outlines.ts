import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Route } from '@caravan/contracts/http/journeys';
import { feature, mesh } from 'topojson-client';
import { mapSizes, projectionTo } from '../src/features/journey/drawing.ts';
import { placeOf, type Place } from '../src/features/journey/way.ts';

/**
 * Cuts the coasts and borders around every route out of Natural Earth 1:10m, so that a map fetches a few kilobytes.
 * Run by hand when a route is added: `npx tsx web/build/outlines.ts`.
 */
const root = resolve(import.meta.dirname, '../..');
const routes = JSON.parse(readFileSync(`${root}/services/scoring/src/journey/routes.json`, 'utf8')) as {
  routes: Route[];
};
type Topology = Parameters<typeof mesh>[0];
type Coasts = Extract<Topology['objects'][string], { type: 'GeometryCollection' }>;
type Countries = NonNullable<Parameters<typeof mesh>[1]>;
const atlas = createRequire(import.meta.url)('world-atlas/countries-10m.json') as Topology;
const { countries, land: coasts } = atlas.objects as { countries: Countries; land: Coasts };
const land = feature(atlas, coasts).features.flatMap(({ geometry }) => {
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat();
  return geometry.type === 'Polygon' ? geometry.coordinates : [];
}) as Place[][];
const borders = mesh(atlas, countries, (one, other) => one !== other).coordinates as Place[][];

type Box = { west: number; east: number; south: number; north: number };
const paddingPixels = 40;

/** What either size of the map can show of a route. */
function boxAround({ checkpoints }: Route): Box {
  const corners = mapSizes.flatMap((size) => {
    const projection = projectionTo(checkpoints.map(placeOf), size);
    const at = (x: number, y: number) => projection.invert?.([x, y]) ?? [0, 0];
    return [at(-paddingPixels, size.height + paddingPixels), at(size.width + paddingPixels, -paddingPixels)];
  });
  const longitudes = corners.map(([x]) => x);
  const latitudes = corners.map(([, y]) => y);
  return {
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  };
}

/** About the degrees of one pixel, where the whole route is shown. */
const pixelOf = ({ west, east }: Box): number => (east - west) / 720;

/** False for islands that would be a speck. */
const isSeen = (ring: readonly Place[], box: Box): boolean =>
  ring.length > 3 &&
  Math.max(...ring.map(([x]) => x)) - Math.min(...ring.map(([x]) => x)) > (isContinent(box) ? 9 : 3) * pixelOf(box);

const isContinent = ({ west, east }: Box): boolean => east - west > 60;

/** A ring cut at the four sides of a box, after Sutherland and Hodgman. */
function clipRing(ring: readonly Place[], { west, east, south, north }: Box): Place[] {
  const sides: [inside: (p: Place) => boolean, axis: 0 | 1, at: number][] = [
    [([x]) => x >= west, 0, west],
    [([x]) => x <= east, 0, east],
    [([, y]) => y >= south, 1, south],
    [([, y]) => y <= north, 1, north],
  ];
  return sides.reduce<Place[]>(
    (points, [inside, axis, at]) =>
      points.flatMap((point, index) => {
        const before = points.at(index - 1) ?? point;
        const crossing = inside(point) === inside(before) ? [] : [crossingOf(before, point, axis, at)];
        return inside(point) ? [...crossing, point] : crossing;
      }),
    [...ring],
  );
}

function crossingOf(from: Place, to: Place, axis: 0 | 1, at: number): Place {
  const share = (at - from[axis]) / (to[axis] - from[axis]);
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** Only points that are some distance apart: half a pixel of the whole route, more where it spans a continent. */
function thin(points: readonly Place[], box: Box): Place[] {
  const apart = pixelOf(box) * (isContinent(box) ? 1.6 : 0.5);
  const kept: Place[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (!last || point === points.at(-1) || Math.hypot(point[0] - last[0], point[1] - last[1]) > apart)
      kept.push(point);
  }
  return kept;
}

/** The parts of a line that lie in the box. */
function partsOf(line: readonly Place[], { west, east, south, north }: Box): Place[][] {
  const isIn = ([x, y]: Place) => x >= west && x <= east && y >= south && y <= north;
  const parts: Place[][] = [[]];
  for (const point of line) {
    if (isIn(point)) parts.at(-1)?.push(point);
    else if (parts.at(-1)?.length) parts.push([]);
  }
  return parts.filter(({ length }) => length > 1);
}

for (const route of routes.routes) {
  const box = boxAround(route);
  const digitsOfRegion = box.east - box.west > 8 ? 2 : 4;
  const digits = isContinent(box) ? 1 : digitsOfRegion;
  const roundPoints = (points: readonly Place[]) =>
    points.map((point) => point.map((degrees) => Number(degrees.toFixed(digits))));
  const outlines = {
    land: land
      .map((ring) => thin(clipRing(ring, box), box))
      .filter((ring) => isSeen(ring, box))
      .map(roundPoints),
    borders: borders.flatMap((line) => partsOf(line, box)).map((part) => roundPoints(thin(part, box))),
  };
  writeFileSync(`${root}/web/src/features/journey/outlines/${route.id}.json`, `${JSON.stringify(outlines)}\n`);
}
