import { useEffect, useRef, useState } from 'react';
import { prefersLessMotion } from '../lib/media.ts';

const rollMilliseconds = 600;

/** A figure that counts up or down to its new value when it changes; it does not move when it first appears. */
export function Rolling({ value, format }: { value: number; format: (value: number) => string }) {
  const [shown, setShown] = useState(value);
  const from = useRef(value);
  useEffect(() => {
    const start = from.current;
    if (start === value) return undefined;
    const begin = performance.now();
    const length = prefersLessMotion() ? 0 : rollMilliseconds;
    let frame = requestAnimationFrame(function step(now) {
      const share = length === 0 ? 1 : Math.min(1, (now - begin) / length);
      from.current = start + (value - start) * (1 - (1 - share) ** 4);
      setShown(share === 1 ? value : from.current);
      if (share < 1) frame = requestAnimationFrame(step);
      else from.current = value;
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{format(shown)}</span>;
}
