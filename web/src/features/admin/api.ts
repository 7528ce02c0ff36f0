import { useMutation, useQueryClient } from '@tanstack/react-query';
import { switchStreakFreezes } from '../../lib/api/generated/sdk.gen.ts';
import { meQuery } from '../../lib/me.ts';

/** Lets freezes hold everybody's streaks or not (D11); one's own streak has followed when this has ended. */
export function useSwitchStreakFreezes() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (hasFreezes: boolean) => switchStreakFreezes({ body: { hasFreezes } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
