const firstMilliseconds = 1000;
const longestMilliseconds = 30_000;

/** How long to wait before the next try: twice as long after each failure, half a minute at most, never in step. */
export const backOffMilliseconds = (failures: number, chance = Math.random()): number =>
  Math.min(firstMilliseconds * 2 ** (failures - 1), longestMilliseconds) * (0.75 + chance / 2);

/** Resolves after that time, or as soon as `signal` aborts; leaves nothing behind. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
