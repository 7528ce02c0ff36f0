import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '@caravan/contracts/testing/seeded';
import { count } from './counting.ts';
import type { Suite } from './suite.ts';

const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);

type Writing = { readonly events: number; readonly writers: number; readonly atLeastUntil?: AbortSignal };

/** Appends one or five events at a time; a writer whose connection is shot goes on, its outcome unknown to it. */
export async function write({ store }: Suite, { events, writers, atLeastUntil }: Writing): Promise<void> {
  let left = events;
  const writer = async () => {
    while (left > 0 || atLeastUntil?.aborted === false) {
      const numbers = random() < 0.5 ? [1] : [1, 2, 3, 4, 5];
      const key = keys[Math.floor(random() * keys.length)] ?? '';
      try {
        await count(store, key, ...numbers);
        left -= numbers.length;
      } catch {
        // What became of it the log knows.
        await sleep(10);
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
}
