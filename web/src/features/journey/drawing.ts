import type { Checkpoint, Journey } from '@caravan/contracts/http/journeys';
import { geoMercator, geoPath, type GeoProjection } from 'd3-geo';
import { placeLabels, spreadBubbles, type Size, type Spot } from './layout.ts';
import { legOf } from './leg.ts';
import { placeAfter, placeOf, wayBehind, type Place } from './way.ts';

const wide: Size = { width: 720, height: 440 };
/** Drawn smaller, so that names keep their size on phones. */
const narrow: Size = { width: 380, height: 400 };
export const mapSizes = [wide, narrow] as const;
export const sizeFor = (isWide: boolean): Size => (isWide ? wide : narrow);

const margin = { side: 48, top: 88, bottom: 44 };

export type View = 'route' | 'here';

/** Coasts and borders around one route, cut out of Natural Earth 1:10m by web/build/outlines.ts. */
export type Outlines = { land: Place[][]; borders: Place[][] };

type Shown = {
  checkpoints: readonly Checkpoint[];
  teams: Journey['teams'];
  ownTeamId: string | null;
  view: View;
  outlines: Outlines | null;
  size: Size;
};

/** Everything that a map shows, in its own units. */
export function drawMap({ checkpoints, teams, ownTeamId, view, outlines, size }: Shown) {
  const ownMiles = teams.find(({ id }) => id === ownTeamId)?.miles ?? 0;
  const project = projectionTo((view === 'here' ? legOf(checkpoints, ownMiles) : checkpoints).map(placeOf), size);
  const path = geoPath(project);
  const line = (coordinates: Place[]) => path({ type: 'LineString', coordinates }) ?? '';
  const isInView = ({ x, y }: Spot) => x > 0 && x < size.width && y > 0 && y < size.height;
  const places = teams
    .toSorted((one, other) => Number(other.id === ownTeamId) - Number(one.id === ownTeamId))
    .map((team) => ({
      ...team,
      ...spotOf(placeAfter(checkpoints, team.miles), project),
      isOwn: team.id === ownTeamId,
    }));
  const bubbles = spreadBubbles(size, places.filter(isInView));
  const stops = checkpoints.map((checkpoint) => ({
    ...spotOf(placeOf(checkpoint), project),
    name: checkpoint.name,
    isReached: ownMiles >= checkpoint.mileMark,
    isGoal: checkpoint === checkpoints.at(-1),
  }));
  return {
    land: outlines?.land.map((ring) => `${tracePlaces(ring, project)}Z`).join('') ?? '',
    borders: outlines?.borders.map((border) => tracePlaces(border, project)).join('') ?? '',
    ahead: line(checkpoints.map(placeOf)),
    behind: ownMiles > 0 ? line(wayBehind(checkpoints, ownMiles)) : '',
    stops: stops.filter(isInView),
    bubbles,
    labels: placeLabels(
      byImportance(stops.filter(isInView)),
      [...bubbles.map(({ at }) => at), ...stops.filter(({ isGoal }) => isGoal).map(flagOf)],
      size,
    ),
  };
}

const spotOf = (place: Place, project: GeoProjection): Spot => {
  const [x, y] = project(place) ?? [0, 0];
  return { x, y };
};

const flagOf = ({ x, y }: Spot): Spot => ({ x: x + 7, y: y - 24 });

/** Fits places into a map. */
export const projectionTo = (places: Place[], { width, height }: Size): GeoProjection =>
  geoMercator().fitExtent(
    [
      [margin.side, margin.top],
      [width - margin.side, height - margin.bottom],
    ],
    { type: 'MultiPoint', coordinates: places },
  );

/** A line from point to point, without the curve of the earth: coasts have more points than that could matter. */
const tracePlaces = (places: readonly Place[], project: GeoProjection): string =>
  places
    .map((place, index) => `${index === 0 ? 'M' : 'L'}${(project(place) ?? [0, 0]).map(Math.round).join(' ')}`)
    .join('');

/** Start, goal and the next stop first, then the others along the way. */
function byImportance<Stop extends { isReached: boolean }>(stops: readonly Stop[]): Stop[] {
  const next = stops.find(({ isReached }) => !isReached);
  const first = [next, stops[0], stops.at(-1)].filter((stop) => stop !== undefined);
  return [...new Set([...first, ...stops])];
}
