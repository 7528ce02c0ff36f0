// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- its one place
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { isLeaving, untilStaying } from './leaving.ts';

/** Loads a part again that a navigation aborted: the page that is being left shows no error, and is whole if it stays. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!isLeaving()) throw error;
      await untilStaying();
    }
  }
}

/** A component whose code is loaded when it is first shown. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadPart(load) }));
}
