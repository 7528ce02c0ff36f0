import type { Journey } from '@caravan/contracts/http/journeys';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../lib/api/generated/client.gen.ts';
import { HttpError } from '../../lib/http-error.ts';
import { dataQuery, nullWhenSignedOut } from '../../lib/query-client.ts';

const path = '/api/journey';
const notFound = 404;

/** Where every team stands (D33, D43); null where the organisation has not set out yet. */
export const journeyQuery = dataQuery<Journey | null>([path], async ({ signal }) => {
  try {
    return await client.get<{ 200: Journey }, unknown, true, 'data'>({
      url: path,
      responseStyle: 'data',
      throwOnError: true,
      signal,
    });
  } catch (error) {
    if (error instanceof HttpError && error.status === notFound) return null;
    throw error;
  }
});

/** The outlines of the countries, fetched where a map is drawn and nowhere else. */
export const outlinesQuery = queryOptions({
  queryKey: ['outlines'],
  queryFn: () => nullWhenSignedOut(import('./outlines.ts').then(({ readOutlines }) => readOutlines())),
});
