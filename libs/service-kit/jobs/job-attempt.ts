import { Rejected } from '@caravan/kernel/rejected';
import type { BackgroundTask } from '../telemetry/background-work.ts';
import { Unanswered } from '../process/dependency.ts';
import type { JobDefinition } from './job.ts';
import type { Log } from '../telemetry/log.ts';

type Handler = (data: unknown) => Promise<void>;

type AttemptParts = {
  readonly job: JobDefinition;
  readonly task: BackgroundTask;
  readonly log: Log;
  readonly isEnding: () => boolean;
};

/** `postponed`: it counts as no attempt. `pointless`: another attempt would end in the same way. */
export type AttemptOutcome =
  | { readonly is: 'done' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'postponed'; readonly milliseconds: number }
  | { readonly is: 'pointless'; readonly reason: string };

/** The job is promoted when the breaker closes; this delay is for a process that missed it. */
const postponedMilliseconds = 5_000;

export async function attempt(
  { job, task, log, isEnding }: AttemptParts,
  data: unknown,
  handle: Handler,
): Promise<AttemptOutcome> {
  const parsed = job.data.safeParse(data);
  if (!parsed.success) return { is: 'pointless', reason: `Data of ${job.name} does not fit its schema` };
  try {
    await handle(parsed.data);
    task.recordSuccess();
    return { is: 'done' };
  } catch (error) {
    task.recordFailure(error);
    if (isEnding() || wasNotTried(error)) {
      log.debug({ err: error, job: job.name }, 'job was interrupted, or what it needs is away');
      // The next run of a repeated job does the work of this one.
      if (job.everySeconds !== undefined) return { is: 'done' };
      return { is: 'postponed', milliseconds: isEnding() ? 0 : postponedMilliseconds };
    }
    // A rule that says no says no again.
    if (error instanceof Rejected && error.kind !== 'unavailable' && error.kind !== 'too-many')
      return { is: 'pointless', reason: `${error.code}: ${error.message}` };
    return { is: 'failed', error };
  }
}

/** True when a breaker refused the call, so that nothing was sent. */
function wasNotTried(error: unknown): boolean {
  if (error instanceof Unanswered) return !error.wasAsked;
  return error instanceof Error && error.cause !== undefined && wasNotTried(error.cause);
}
