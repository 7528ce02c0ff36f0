import { useSyncExternalStore } from 'react';

/**
 * For a value kept outside React, in a module or in the browser's storage: components `use` it by reading it, `tell`
 * says that it has changed.
 * @param whileFollowed what runs from the first follower on; it ends with the last one
 */
export function createStore(whileFollowed?: (tell: () => void) => () => void) {
  const followers = new Set<() => void>();
  let end: (() => void) | undefined;
  const tell = (): void => {
    for (const follower of followers) follower();
  };
  const follow = (follower: () => void): (() => void) => {
    if (followers.size === 0) end = whileFollowed?.(tell);
    followers.add(follower);
    return () => {
      if (followers.delete(follower) && followers.size === 0) end?.();
    };
  };
  return {
    tell,
    follow,
    /** @param read the same value, by identity, until `tell` */
    use: <Value>(read: () => Value): Value => useSyncExternalStore(follow, read),
  };
}

/** The browser's storage, which other tabs write too. */
export const createStorageStore = () =>
  createStore((tell) => {
    addEventListener('storage', tell);
    return () => removeEventListener('storage', tell);
  });
