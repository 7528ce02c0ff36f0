import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfterMoving } from '../../lib/query-keys.ts';
import { ownLogOf } from '../../lib/answers.ts';
import { sendAnew, sendOnce } from '../../lib/keyed-requests.ts';
import { correctLog, removeLog } from '../../lib/api/generated/sdk.gen.ts';
import type { CorrectLogData } from '../../lib/api/generated/types.gen.ts';

export const logsPath = '/api/logs';

/**
 * Corrects an own log; miles, streaks, challenges and boards follow (D8). The correction that is answered may be an
 * earlier attempt, whose answer had been lost.
 */
export function useCorrectLog(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CorrectLogData['body']) =>
      sendOnce(`correct ${id}`, { path: { id }, body }, async (keyed) => ownLogOf(await correctLog(keyed))),
    onSuccess: () => refreshAfterMoving(queryClient),
  });
}

/** Decides whether an own log counts beside the same workout of another source (D25). */
export function useCountLog(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (counts: boolean) => sendAnew({ path: { id }, body: { counts } }, correctLog),
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
