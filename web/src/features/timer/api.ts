import { useMutation, useQueryClient } from '@tanstack/react-query';
import { logMovement } from '../../lib/api/generated/sdk.gen.ts';
import type { LogMovementData } from '../../lib/api/generated/types.gen.ts';

/** What a log changes on other screens of this page; the live stream says the same, but later. */
const changed = [
  '/api/me',
  '/api/dashboard/stats',
  '/api/bonus-challenge',
  '/api/leaderboard',
  '/api/feed',
  '/api/logs',
];

/** Logs a movement. The same `idempotencyKey` logs once, however often one presses or the network stutters. */
export function useLogMovement() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: LogMovementData['body'] & { idempotencyKey: string }) =>
      logMovement({ body, headers: { 'Idempotency-Key': idempotencyKey } }),
    onSuccess: () => Promise.all(changed.map((path) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });
}
