import type { Journey } from '@caravan/contracts/http/journeys';
import { queryOptions } from '@tanstack/react-query';
import { journeyOf } from '../../lib/answers.ts';
import { readJourney } from '../../lib/api/generated/sdk.gen.ts';
import { HttpError } from '../../lib/http-error.ts';
import { dataQuery } from '../../lib/query-client.ts';
import type { Outlines } from './drawing.ts';

const notFound = 404;

/** Where every team stands (D33, D43); null where the organisation has not set out yet. */
export const journeyQuery = dataQuery<Journey | null>(['/api/journey'], async ({ signal }) => {
  try {
    return journeyOf(await readJourney({ signal }));
  } catch (error) {
    if (error instanceof HttpError && error.status === notFound) return null;
    throw error;
  }
});

const outlines = import.meta.glob<Outlines>('./outlines/*.json', { import: 'default' });

/** The land around a route, fetched where its map is drawn and nowhere else; null where none has been cut out. */
export const outlinesQuery = (routeId: string) =>
  queryOptions({
    queryKey: ['outlines', routeId],
    queryFn: async () => (await outlines[`./outlines/${routeId}.json`]?.()) ?? null,
  });
