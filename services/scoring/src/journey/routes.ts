import { routeSchema, type Route } from '@caravan/contracts/http/journeys';
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
