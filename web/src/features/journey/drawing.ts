import type { Checkpoint, Journey } from '@caravan/contracts/http/journeys';
import { geoMercator, geoPath } from 'd3-geo';
import { placeLabels, spreadBubbles, type Spot } from './layout.ts';
import type { Outlines } from './outlines.ts';
import { legOf, placeAfter, placeOf, wayBehind, type Place } from './way.ts';

export const mapSize = { width: 720, height: 440 } as const;
const margin = { side: 64, top: 92, bottom: 44 };

export type View = 'route' | 'here';

/** Everything that a map shows, in its own units. */
export function drawMap({
  checkpoints,
  teams,
  ownTeamId,
  view,
  outlines,
}: {
  checkpoints: readonly Checkpoint[];
  teams: Journey['teams'];
  ownTeamId: string | null;
  view: View;
  outlines: Outlines | null;
}) {
  const ownMiles = teams.find(({ id }) => id === ownTeamId)?.miles ?? 0;
  const shown = view === 'here' ? legOf(checkpoints, ownMiles) : checkpoints;
  const project = projectionTo(shown.map(placeOf));
  const path = geoPath(project);
  const at = (place: Place): Spot => {
    const [x, y] = project(place) ?? [0, 0];
    return { x, y };
  };
  const line = (coordinates: Place[]) => path({ type: 'LineString', coordinates }) ?? '';
  const bubbles = spreadBubbles(
    teams
      .toSorted((a, b) => Number(b.id === ownTeamId) - Number(a.id === ownTeamId))
      .map((team) => ({ ...team, ...at(placeAfter(checkpoints, team.miles)), isOwn: team.id === ownTeamId }))
      .filter(isInView),
  );
  const stops = checkpoints
    .map((checkpoint) => ({
      ...at(placeOf(checkpoint)),
      name: checkpoint.name,
      isReached: ownMiles >= checkpoint.mileMark,
    }))
    .filter(isInView);
  return {
    land: outlines ? (path(outlines.land) ?? '') : '',
    borders: outlines ? (path(outlines.borders) ?? '') : '',
    ahead: line(checkpoints.map(placeOf)),
    behind: ownMiles > 0 ? line(wayBehind(checkpoints, ownMiles)) : '',
    stops,
    bubbles,
    labels: placeLabels(
      byImportance(stops),
      bubbles.map((bubble) => bubble.at),
      mapSize,
    ),
  };
}

function projectionTo(places: Place[]) {
  const projection = geoMercator().fitExtent(
    [
      [margin.side, margin.top],
      [mapSize.width - margin.side, mapSize.height - margin.bottom],
    ],
    { type: 'MultiPoint', coordinates: places },
  );
  // What lies outside needs no path.
  return projection.clipExtent([
    [-20, -20],
    [mapSize.width + 20, mapSize.height + 20],
  ]);
}

const isInView = ({ x, y }: Spot) => x > 0 && x < mapSize.width && y > 0 && y < mapSize.height;

/** Start, goal and the next stop first, then the others along the way. */
function byImportance<Stop extends { isReached: boolean }>(stops: readonly Stop[]): Stop[] {
  const next = stops.find(({ isReached }) => !isReached);
  const first = [next, stops[0], stops.at(-1)].filter((stop) => stop !== undefined);
  return [...new Set([...first, ...stops])];
}
