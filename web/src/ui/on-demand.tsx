import { Suspense, useState, type ReactNode } from 'react';

/** What a button hands on so that somebody who comes near it or presses it is noticed. */
type Approach = { onPointerEnter?: () => void; onClick?: () => void };

/**
 * A button whose layer is fetched when a pointer comes near it, and put in place when it is pressed: then the layer opens
 * and takes the focus. Not before, for its own button replaces this one.
 */
export function OnDemand({
  fetch,
  button,
  children,
}: {
  fetch: () => Promise<unknown>;
  button: (approach: Approach) => ReactNode;
  /** The lazy layer with its own button, open at first. */
  children: ReactNode;
}) {
  const [isAskedFor, setIsAskedFor] = useState(false);
  const asking = button({ onPointerEnter: () => void fetch(), onClick: () => setIsAskedFor(true) });
  return isAskedFor ? <Suspense fallback={asking}>{children}</Suspense> : asking;
}
