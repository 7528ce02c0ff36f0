import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const step = (key: string, across: number, length: number): ((at: number) => number) | undefined =>
  ({
    ArrowRight: (at: number) => at + across,
    ArrowLeft: (at: number) => at - across,
    ArrowUp: (at: number) => at - 1,
    ArrowDown: (at: number) => at + 1,
    Home: () => 0,
    End: () => length - 1,
  })[key];

/**
 * One figure of a chart at a time, by arrow keys or by pointing; it begins at the last one. Goes onto the drawing, which
 * carries figures' elements with `data-at`. @param across how far the right arrow goes
 */
export function useCursor({ length, across = 1 }: { length: number; across?: number }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? length - 1, length - 1);
  return {
    at,
    handlers: {
      onKeyDown: (event: KeyboardEvent) => {
        const next = step(event.key, across, length)?.(at);
        if (next === undefined) return;
        event.preventDefault();
        setChosen(Math.max(0, Math.min(length - 1, next)));
      },
      onPointerMove: ({ target }: PointerEvent) => {
        const found = target instanceof Element && target.closest('[data-at]')?.getAttribute('data-at');
        if (found) setChosen(Number(found));
      },
      onPointerDown: ({ target }: PointerEvent) => {
        const found = target instanceof Element && target.closest('[data-at]')?.getAttribute('data-at');
        if (found) setChosen(Number(found));
      },
    },
  };
}
