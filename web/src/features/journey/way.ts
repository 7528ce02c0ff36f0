import type { Checkpoint, Journey } from '@caravan/contracts/http/journeys';
import { geoInterpolate } from 'd3-geo';

/** Longitude and latitude. */
export type Place = [number, number];

export const placeOf = ({ longitude, latitude }: Pick<Checkpoint, 'longitude' | 'latitude'>): Place => [
  longitude,
  latitude,
];

/** Where one stands after so many miles of a route: on the straight line between two stops. */
export function placeAfter(checkpoints: readonly Checkpoint[], miles: number): Place {
  const next = checkpoints.findIndex(({ mileMark }) => mileMark > miles);
  const from = checkpoints[next === -1 ? checkpoints.length - 1 : Math.max(0, next - 1)];
  const to = checkpoints[next];
  if (!from) return [0, 0];
  if (!to || to === from) return placeOf(from);
  const share = (miles - from.mileMark) / (to.mileMark - from.mileMark);
  return geoInterpolate(placeOf(from), placeOf(to))(Math.max(0, share));
}

/** The way walked: the stops that are behind, and the place where one stands. */
export const wayBehind = (checkpoints: readonly Checkpoint[], miles: number): Place[] => [
  ...checkpoints.filter(({ mileMark }) => mileMark <= miles).map(placeOf),
  placeAfter(checkpoints, miles),
];

export type Stop = {
  checkpoint: Checkpoint;
  /** When the own team came there; null: it is ahead. */
  reachedAt: string | null;
  isReached: boolean;
  /** Teams that have been there, the first on the way first. */
  teams: Journey['teams'];
  /** Of the own team; 0 when it has been there. */
  milesLeft: number;
};

/** Every stop of the route with who has been there. @param ownTeamId null: one has no team on the way */
export function stopsOf({ route, teams, reached }: Journey, ownTeamId: string | null): Stop[] {
  const ownMiles = teams.find(({ id }) => id === ownTeamId)?.miles ?? 0;
  const cards = new Map(reached.map(({ checkpoint, reachedAt }) => [checkpoint, reachedAt]));
  return route.checkpoints.map((checkpoint) => {
    const reachedAt = cards.get(checkpoint.name) ?? null;
    const isReached = reachedAt !== null || ownMiles >= checkpoint.mileMark;
    return {
      checkpoint,
      reachedAt,
      isReached,
      teams: teams.filter(({ miles }) => miles >= checkpoint.mileMark).toSorted((a, b) => b.miles - a.miles),
      milesLeft: isReached ? 0 : Math.round((checkpoint.mileMark - ownMiles) * 100) / 100,
    };
  });
}

/** Teams as they go, the first first. */
export const inOrder = (teams: Journey['teams']): Journey['teams'] => teams.toSorted((a, b) => b.miles - a.miles);
