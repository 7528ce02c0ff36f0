import { useMutation, useQueryClient } from '@tanstack/react-query';
import { listRoutes, readJourney, startJourney } from '../../lib/api/generated/sdk.gen.ts';
import type { StartJourneyData } from '../../lib/api/generated/types.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The running journey and what there is to choose from. */
export const chosenJourneyQuery = dataQuery(['/api/journey'], readJourney);

/** Every route with its stops: what one looks at before one chooses. */
export const routesQuery = dataQuery(['/api/journey/routes'], listRoutes);

export type RouteId = StartJourneyData['body']['routeId'];

/** Sets out on a route (D33). */
export function useStartJourney() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: StartJourneyData['body']) => startJourney({ body }),
    onSuccess: (journey) => queryClient.setQueryData(chosenJourneyQuery.queryKey, journey),
  });
}
