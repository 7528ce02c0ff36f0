import { routeSchema } from '@caravan/contracts/http/journeys';
import type { Route, Journey } from '@caravan/contracts/http/journeys';
import { milesOf } from '@caravan/contracts/miles';
import { z } from 'zod';
import data from './routes.json' with { type: 'json' };

/** Every route there is, from the shortest to the longest. The first checkpoint of each is its start, at mile 0. */
export const routes: readonly Route[] = z
  .object({ routes: z.array(routeSchema) })
  .parse(data)
  .routes.toSorted((a, b) => a.totalMiles - b.totalMiles);

/** What an organisation travels until its admin chooses: short enough to arrive soon. */
export const firstRouteId = 'hadrians-wall';

const byId = new Map(routes.map((route) => [route.id, route]));

/** A route by its id; undefined where there is none. */
export const routeOfId = (routeId: string): Route | undefined => byId.get(routeId);

/** A team on its way. */
export type Traveller = {
  readonly teamId: string;
  readonly name: string;
  readonly emoji: string;
  /** Since the start. */
  readonly centimiles: number;
  /** The furthest checkpoint it has been seen at; 0 is the start. */
  readonly checkpoint: number;
};

/** The last checkpoint (from 0, the start) that so many miles reach. */
export function checkpointAfter({ checkpoints }: Route, centimiles: number): number {
  return Math.max(
    0,
    checkpoints.findLastIndex(({ mileMark }) => mileMark <= milesOf(centimiles)),
  );
}

/** True where a team's miles have brought it further than it has been seen. */
export function isDue(route: Route, { centimiles, checkpoint }: Traveller): boolean {
  return checkpointAfter(route, centimiles) > checkpoint;
}

/** A team as the map shows it (D43). Who lost miles by a correction still has been where it was. */
export function placeOf(
  route: Route,
  { teamId, name, emoji, centimiles, checkpoint }: Traveller,
): Journey['teams'][number] {
  const last = Math.max(checkpoint, checkpointAfter(route, centimiles));
  const next = route.checkpoints[last + 1];
  return {
    ...{ id: teamId, name, emoji, miles: milesOf(centimiles) },
    lastCheckpoint: last > 0 ? (route.checkpoints[last]?.name ?? null) : null,
    nextCheckpoint: next?.name ?? null,
    milesToNext: next ? milesOf(Math.round(next.mileMark * 100) - centimiles) : 0,
  };
}

/** Where a team has been, by the names of checkpoints. */
export const postcardsOf = (
  { checkpoints }: Route,
  reached: readonly { readonly checkpoint: number; readonly reachedAt: string }[],
): Journey['reached'] =>
  reached.map(({ checkpoint, reachedAt }) => ({
    checkpoint: checkpoints[checkpoint]?.name ?? '',
    reachedAt: new Date(reachedAt).toISOString(),
  }));

/** A team's sum of one date. */
export type TeamDay = { readonly on: string; readonly centimiles: number };

/** The date on which the running sum of a team first came to each checkpoint behind `from`. */
export function arrivalDatesOf(
  route: Route,
  days: readonly TeamDay[],
  from: number,
): { readonly checkpoint: number; readonly on: string }[] {
  const found: { checkpoint: number; on: string }[] = [];
  let sum = 0;
  let last = from;
  for (const { on, centimiles } of days.toSorted((a, b) => a.on.localeCompare(b.on))) {
    sum += centimiles;
    for (const reached = checkpointAfter(route, sum); last < reached;) found.push({ checkpoint: (last += 1), on });
  }
  return found;
}

/**
 * The instant at which something of a date counts as having happened: now for today and yesterday, noon (UTC) of the
 * date for what is longer ago and has no time of its own.
 */
export function instantOf(on: string, { yesterday, at }: { readonly yesterday: string; readonly at: Date }): string {
  return on >= yesterday ? at.toISOString() : `${on}T12:00:00.000Z`;
}
