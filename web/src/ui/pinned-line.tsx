import { ArrowUp } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { prefersLessMotion } from '../lib/media.ts';
import styles from './pinned-line.module.css';
import { Hidden } from './text.tsx';

/** Stays in sight once `card` has scrolled away above, and leads back to it. */
export function PinnedLine({
  label,
  card,
  children,
}: {
  label: string;
  card: RefObject<HTMLElement | null>;
  children: ReactNode;
}) {
  const isAway = useIsAbove(card);
  const back = () => {
    card.current?.scrollIntoView({ block: 'center', behavior: prefersLessMotion() ? 'auto' : 'smooth' });
    // The line goes away once the card is there; the focus must not go with it.
    document.querySelector('h1')?.focus({ preventScroll: true });
  };
  if (!isAway) return null;
  return (
    <button type="button" className={styles.line} onClick={back}>
      <Hidden>{label} </Hidden>
      <span className={styles.text}>{children}</span>
      <ArrowUp size={18} aria-hidden="true" />
    </button>
  );
}

function useIsAbove(element: RefObject<HTMLElement | null>): boolean {
  const [isAbove, setIsAbove] = useState(false);
  useEffect(() => {
    if (!element.current || !('IntersectionObserver' in globalThis)) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setIsAbove(!entry.isIntersecting && entry.boundingClientRect.bottom < 100);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isAbove;
}
