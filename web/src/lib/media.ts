import { useSyncExternalStore } from 'react';

/** From here up the header replaces the bottom bar (D44). */
const wideQuery = '(min-width: 768px)';

function onWidthChange(listener: () => void): () => void {
  const query = matchMedia(wideQuery);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

export const useIsWide = (): boolean => useSyncExternalStore(onWidthChange, () => matchMedia(wideQuery).matches);

export const prefersLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
