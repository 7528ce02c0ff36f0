import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

type Address = { readonly src: string; readonly srcSet?: string | undefined };

const photoOf = ({ src }: Address): string => src.split('?', 1)[0] ?? '';

/**
 * Which address of a photo to use. Lists sign it anew every quarter of an hour (ADR 0057): a picture that is shown stays,
 * and takes the newest address when it has to be loaded and cannot. Where that does not work either it may have ended
 * since the list was read, which is read again, once for each address.
 */
export function useSteadyAddress(newest: Address) {
  const queryClient = useQueryClient();
  const [used, setUsed] = useState(newest);
  const [broken, setBroken] = useState<string | null>(null);
  const isAnother = photoOf(used) !== photoOf(newest);
  const current = isAnother || used.src === broken ? newest : used;
  if (current.src !== used.src) setUsed(current);
  return {
    ...current,
    isBroken: current.src === broken,
    onError: () => {
      setBroken(current.src);
      if (current.src === newest.src) void askAgainFor(queryClient, current.src);
    },
  };
}

/** All that is shown with this address; a list that is on its way already comes once. */
const askAgainFor = (queryClient: QueryClient, src: string) =>
  queryClient.invalidateQueries(
    { predicate: ({ state }) => JSON.stringify(state.data ?? null).includes(src) },
    { cancelRefetch: false },
  );
