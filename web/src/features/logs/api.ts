import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfterMoving } from '../../lib/query-keys.ts';
import { correctLog, removeLog } from '../../lib/api/generated/sdk.gen.ts';
import type { CorrectLogData } from '../../lib/api/generated/types.gen.ts';

export const logsPath = '/api/logs';

/** Corrects an own log; miles, streaks, challenges and boards follow (D8). */
export function useCorrectLog(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: CorrectLogData['body'] & { idempotencyKey: string }) =>
      correctLog({ path: { id }, body, headers: { 'Idempotency-Key': idempotencyKey } }),
    onSuccess: () => refreshAfterMoving(queryClient),
  });
}

/** Takes an own log back, with everything it earned (D8). */
export function useRemoveLog() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => removeLog({ path: { id } }),
    onSuccess: () => refreshAfterMoving(queryClient),
  });
}
