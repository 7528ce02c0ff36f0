import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from '@tanstack/react-router';

/**
 * For what a link's fragment may mean, and what often comes later than its screen: it is brought into sight.
 * @param anchor the fragment; undefined: no link leads here
 */
export function useMeant<Place extends HTMLElement>(
  anchor: string | undefined,
): { ref: RefObject<Place | null>; id: string | undefined; isMeant: boolean } {
  const ref = useRef<Place>(null);
  const isMeant = useLocation({ select: ({ hash }) => anchor !== undefined && hash === anchor });
  useEffect(() => {
    if (isMeant) ref.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  return { ref, id: anchor, isMeant };
}
