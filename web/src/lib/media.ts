import { useSyncExternalStore } from 'react';

/** From here up the header replaces the bottom bar (D44). */
const wideQuery = '(min-width: 768px)';

/** From here up a stream has a column beside it. */
const spaciousQuery = '(min-width: 1000px)';

const mediaOf = (query: string) => ({
  follow: (listener: () => void): (() => void) => {
    const media = matchMedia(query);
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  },
  read: () => matchMedia(query).matches,
});

const wide = mediaOf(wideQuery);
const spacious = mediaOf(spaciousQuery);

export const useIsWide = (): boolean => useSyncExternalStore(wide.follow, wide.read);
export const useIsSpacious = (): boolean => useSyncExternalStore(spacious.follow, spacious.read);

export const prefersLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
