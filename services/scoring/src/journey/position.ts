import { routeSchema } from '@caravan/contracts/http/journeys';
import type { Route, Journey } from '@caravan/contracts/http/journeys';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { z } from 'zod';
import data from './routes.json' with { type: 'json' };

/** From the shortest to the longest; the first checkpoint of each is its start, at mile 0. */
export const { routes }: { readonly routes: readonly Route[] } = z.object({ routes: z.array(routeSchema) }).parse(data);

export const firstRouteId = 'hadrians-wall';

const byId = new Map(routes.map((route) => [route.id, route]));

export const routeOfId = (routeId: string): Route | undefined => byId.get(routeId);

export type Traveller = {
  readonly teamId: string;
  readonly name: string;
  readonly emoji: string;
  readonly centimiles: number;
  /** The furthest it has been seen at; 0 is the start. */
  readonly checkpoint: number;
};

export function checkpointAfter({ checkpoints }: Route, centimiles: number): number {
  return Math.max(
    0,
    checkpoints.findLastIndex(({ mileMark }) => mileMark <= milesOf(centimiles)),
  );
}

export function isDue(route: Route, { centimiles, checkpoint }: Traveller): boolean {
  return checkpointAfter(route, centimiles) > checkpoint;
}

/** Who lost miles by a correction still has been where it was (D43). */
export function placeOf(
  route: Route,
  { teamId, name, emoji, centimiles, checkpoint }: Traveller,
): Journey['teams'][number] {
  const last = Math.max(checkpoint, checkpointAfter(route, centimiles));
  const next = route.checkpoints[last + 1];
  return {
    id: teamId,
    name,
    emoji,
    miles: milesOf(centimiles),
    lastCheckpoint: last > 0 ? (route.checkpoints[last]?.name ?? null) : null,
    nextCheckpoint: next?.name ?? null,
    milesToNext: next ? milesOf(Math.round(next.mileMark * 100) - centimiles) : 0,
  };
}

export const postcardsOf = (
  { checkpoints }: Route,
  reached: readonly { readonly checkpoint: number; readonly reachedAt: string }[],
): Journey['reached'] =>
  reached.map(({ checkpoint, reachedAt }) => ({
    checkpoint: checkpoints[checkpoint]?.name ?? '',
    reachedAt: new Date(reachedAt).toISOString(),
  }));

export type TeamDay = { readonly on: string; readonly centimiles: number };

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

/** Now for today and yesterday, noon (UTC) for dates longer ago. */
export function instantOf(on: string, { yesterday, at }: { readonly yesterday: string; readonly at: Date }): string {
  return on >= yesterday ? at.toISOString() : `${on}T12:00:00.000Z`;
}
