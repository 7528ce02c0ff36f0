import { useEffect, useRef } from 'react';

/**
 * Does something when the component is first shown, and never again: whatever changes around it meanwhile (the place,
 * the language) is no reason to do it twice.
 */
export function useOnce(work: () => void): void {
  const first = useRef<(() => void) | null>(work);
  useEffect(() => {
    first.current?.();
    first.current = null;
  }, []);
}
