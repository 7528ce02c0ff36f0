import { useSyncExternalStore } from 'react';

const tickMilliseconds = 30_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, tickMilliseconds);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function currentTick(): number {
  // Between renders the answer must hold still; a second is still enough here. A clock may also be set back.
  if (!timer && Math.abs(Date.now() - now) > 1000) now = Date.now();
  return now;
}

/** Milliseconds since 1970, moving every half minute: for 'ago' and countdowns, one clock for the whole page. */
export const useNow = (): number => useSyncExternalStore(onTick, currentTick);
