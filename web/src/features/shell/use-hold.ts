import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

/** So long is a hold (2.30). */
export const holdMilliseconds = 500;

/** Tells a tap from a hold. The context menu (its key, a right click, a phone's long press) counts as a hold. */
export function useHold({ onTap, onHold }: { onTap: () => void; onHold: () => void }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wasHeld = useRef(false);
  const release = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onPointerDown: (event: PointerEvent) => {
      wasHeld.current = false;
      if (event.button !== 0) return;
      release();
      timer.current = setTimeout(() => {
        wasHeld.current = true;
        onHold();
      }, holdMilliseconds);
    },
    onPointerUp: release,
    onPointerLeave: release,
    onPointerCancel: release,
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      release();
      if (wasHeld.current) return;
      wasHeld.current = event.button === 0 && event.detail !== 0;
      onHold();
    },
    onClick: () => {
      if (wasHeld.current) wasHeld.current = false;
      else onTap();
    },
  };
}
