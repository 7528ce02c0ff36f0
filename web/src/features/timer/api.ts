import { presetActivities } from '@caravan/contracts/domain/movement/activities';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfterMoving } from '../../lib/query-keys.ts';
import { correctLog, logMovement, trackActivity } from '../../lib/api/generated/sdk.gen.ts';
import type { CorrectLogData, LogMovementData, LogMovementResponse } from '../../lib/api/generated/types.gen.ts';
import { HttpError } from '../../lib/http-error.ts';
import { sendAnew, sendOnce } from '../../lib/keyed-requests.ts';
import { frequentActivitiesQuery } from '../../lib/me.ts';

export type Log = LogMovementData['body'];

/** Logs a movement. The same act logs once, however often one presses or the network stutters. */
export function useLogMovement() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: sendLog,
    onSuccess: ({ request: { body } }) => {
      const { activityType } = body;
      if (!isPreset(activityType))
        void track(activityType).then(() =>
          queryClient.invalidateQueries({ queryKey: frequentActivitiesQuery.queryKey }),
        );
      refreshAfterMoving(queryClient);
    },
  });
}

/** A clock that is ahead of the server's must not cost a timed log: then the movement ended now (D40). */
async function sendLog({ act, body }: { act: string; body: Log }) {
  try {
    return await sendOnce(act, { body }, logMovement);
  } catch (error) {
    const { startedAt, ...withoutStart } = body;
    const isAhead = error instanceof HttpError && error.problem?.code === 'movement/future-start';
    if (startedAt === undefined || body.source !== 'timer' || !isAhead) throw error;
    return sendOnce<{ body: Log }, LogMovementResponse>(act, { body: withoutStart }, logMovement);
  }
}

/** Adds to a log what was changed in its form after an attempt that the server had saved (D8). */
export function useChangeLog() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: Pick<CorrectLogData, 'path' | 'body'>) => sendAnew(request, correctLog),
    onSuccess: () => refreshAfterMoving(queryClient),
  });
}

const isPreset = (activity: string) => presetActivities.some(({ name }) => name === activity);

/** Counts an activity beyond the four presets; that this fails is nobody's trouble (7.16). */
async function track(activityName: string): Promise<void> {
  try {
    await trackActivity({ body: { activityName } });
  } catch (error) {
    // eslint-disable-next-line no-console -- The specification wants it logged, and only that.
    console.warn('The activity could not be counted', error);
  }
}
