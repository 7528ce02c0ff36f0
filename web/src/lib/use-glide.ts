import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { prefersLessMotion } from './media.ts';

const glideMilliseconds = 600;

type Place = { left: number; top: number };

/**
 * Rows that changed places glide there, also from one list to another: give what holds them the ref and a position of its
 * own, and each row `data-glide` with its id. A row that had the focus keeps it.
 */
export function useGlide<Holder extends HTMLElement>(order: string) {
  const holder = useRef<Holder>(null);
  const places = useRef(new Map<string, Place>());
  const focused = useFocusedRow(holder);
  useLayoutEffect(() => {
    const before = places.current;
    places.current = new Map();
    for (const row of holder.current?.querySelectorAll<HTMLElement>('[data-glide]') ?? []) {
      const id = row.dataset['glide'] ?? '';
      const now = placeIn(holder.current, row);
      places.current.set(id, now);
      glide(row, before.get(id) ?? now, now);
      if (id === focused.current && document.activeElement === document.body)
        row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
    }
  }, [order, focused]);
  return holder;
}

/** Offsets do not move with a glide that is still under way; parts with a position of their own may lie between. */
function placeIn(holder: HTMLElement | null, row: HTMLElement): Place {
  let left = 0;
  let top = 0;
  let element: Element | null = row;
  while (element instanceof HTMLElement && element !== holder) {
    left += element.offsetLeft;
    top += element.offsetTop;
    element = element.offsetParent;
  }
  return { left, top };
}

function glide(row: HTMLElement, from: Place, to: Place): void {
  const x = from.left - to.left;
  const y = from.top - to.top;
  if ((x === 0 && y === 0) || prefersLessMotion()) return;
  row.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], {
    duration: glideMilliseconds,
    easing: 'cubic-bezier(0.22, 1, 0.36, 1)',
  });
}

/** The row that has the focus, or had it when it was taken out of the page, which is no decision of the reader. */
function useFocusedRow<Holder extends HTMLElement>(holder: RefObject<Holder | null>) {
  const focused = useRef<string>(undefined);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element && holder.current?.contains(target) ? target.closest('[data-glide]') : null;
      focused.current = row instanceof HTMLElement ? row.dataset['glide'] : undefined;
    };
    const forget = () => (focused.current = undefined);
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, [holder]);
  return focused;
}
