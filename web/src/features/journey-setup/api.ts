import type { Journey, StartJourneyRequest } from '@caravan/contracts/http/journeys';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../lib/api/generated/client.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

const url = '/api/journey';

/** The running journey and what there is to choose from. */
export const chosenJourneyQuery = dataQuery([url], ({ signal }) =>
  client.get<{ 200: Journey }, unknown, true, 'data'>({ url, responseStyle: 'data', throwOnError: true, signal }),
);

/** Sets out on a route (D33). */
export function useStartJourney() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: StartJourneyRequest) =>
      client.put<{ 200: Journey }, unknown, true, 'data'>({
        url,
        body,
        headers: { 'content-type': 'application/json' },
        responseStyle: 'data',
        throwOnError: true,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [url] }),
  });
}
