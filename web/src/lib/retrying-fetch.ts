import { pause } from './backoff.ts';

const tries = 4;
const longestSeconds = 90;

/**
 * `fetch` that waits when the gateway says that too much was asked at once (429 with Retry-After), and then asks again:
 * nothing has happened yet, so that writes are as safe as reads. What still waits after three times is the answer.
 * @param first an answer to the first try, which was made before
 */
export async function retryingFetch(request: Request, first?: Response): Promise<Response> {
  for (let left = tries; ; left -= 1) {
    const response = (left === tries ? first : undefined) ?? (await fetch(request.clone()));
    const seconds = left > 1 ? await secondsToWait(response) : undefined;
    if (seconds === undefined) return response;
    // Not all at once again, where many pages wait for the same minute to end.
    await pause((seconds + Math.random()) * 1_000, request.signal);
    request.signal.throwIfAborted();
  }
}

/** Undefined for every other answer, also for a person who must wait: that is for the person to read. */
async function secondsToWait(response: Response): Promise<number | undefined> {
  if (response.status !== 429) return undefined;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (!(seconds >= 0 && seconds <= longestSeconds)) return undefined;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const isTooMuchAtOnce = (problem as { code?: unknown } | null)?.code === 'request/too-many';
  return isTooMuchAtOnce ? seconds : undefined;
}
