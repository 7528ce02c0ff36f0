import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/integrations.events';
import { newsOf, type Run, type Trouble } from './run.ts';

type Unkept<Contract> = PublicEventOf<Contract> & { readonly isKept: false };
type SyncEvent =
  Unkept<typeof facts.firstSyncCompleted> | Unkept<typeof facts.syncFailed> | Unkept<typeof facts.syncRecovered>;

type Ended = {
  readonly imported: number;
  /** A run that nobody waited for had failed, and none had ended well since. */
  readonly wasFailing: boolean;
  readonly failure: Trouble | null;
};

/** Null where it is no news to the member of the run. */
export function runEnded(
  { userId, provider: source, cause }: Run,
  { imported: workouts, wasFailing, failure }: Ended,
  at: Date,
): SyncEvent | null {
  const news = newsOf({ cause, wasFailing }, failure);
  const instant = at.toISOString();
  if (news === 'completed') {
    const data = { userId, source, workouts, completedAt: instant };
    return { type: 'FirstSyncCompleted', version: 1, data, isKept: false };
  }
  if (news === 'recovered')
    return { type: 'SyncRecovered', version: 1, data: { userId, source, recoveredAt: instant }, isKept: false };
  if (news === null || failure === null) return null;
  return { type: 'SyncFailed', version: 1, data: { userId, source, why: failure, failedAt: instant }, isKept: false };
}
