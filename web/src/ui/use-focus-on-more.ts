import { type RefObject, useEffect, useRef } from 'react';

/** The button that loads more moves down or goes: the focus goes on to the first of `items`, a selector, that came. */
export function useFocusOnMore(items: string): { box: RefObject<HTMLDivElement | null>; onMore: () => void } {
  const box = useRef<HTMLDivElement>(null);
  const from = useRef<number | null>(null);
  const shownItems = () => box.current?.querySelectorAll<HTMLElement>(items) ?? [];
  useEffect(() => {
    if (from.current === null) return;
    const next = shownItems()[from.current];
    if (!next) return;
    if (next.tabIndex < 0) next.tabIndex = -1;
    next.focus();
    from.current = null;
  });
  return { box, onMore: () => void (from.current = shownItems().length) };
}
