import { useLayoutEffect, useRef } from 'react';
import { prefersLessMotion } from './media.ts';

const glideMilliseconds = 600;

/** Rows of a list that changed places glide there: give the list the ref and each row `data-glide` with its id. */
export function useGlide<List extends HTMLElement>(order: string) {
  const list = useRef<List>(null);
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const before = tops.current;
    const now = new Map<string, number>();
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-glide]') ?? []) {
      const id = row.dataset.glide ?? '';
      now.set(id, row.offsetTop);
      const moved = (before.get(id) ?? row.offsetTop) - row.offsetTop;
      if (moved !== 0 && !prefersLessMotion())
        row.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], {
          duration: glideMilliseconds,
          easing: 'cubic-bezier(0.22, 1, 0.36, 1)',
        });
    }
    tops.current = now;
  }, [order]);
  return list;
}
