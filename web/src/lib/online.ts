import { useSyncExternalStore } from 'react';

function onChange(listener: () => void): () => void {
  const stop = new AbortController();
  for (const name of ['online', 'offline']) addEventListener(name, listener, { signal: stop.signal });
  return () => stop.abort();
}

/** False while the browser knows of no network; true says nothing of the server. */
export const useIsOnline = (): boolean => useSyncExternalStore(onChange, () => navigator.onLine);
