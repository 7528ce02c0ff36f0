import { expect, test, vi } from 'vitest';
import { Repeating } from './repeating.ts';

test('what takes longer than its pause never runs twice at a time, and is waited for at the end', async () => {
  const held: (() => void)[] = [];
  const work = new Repeating(1, () => new Promise((resolve) => held.push(resolve)));
  work.start();
  await vi.waitUntil(() => held.length > 0);
  // As often as this comes, the work would have begun again.
  let ticks = 0;
  const beside = setInterval(() => (ticks += 1), 1);
  await vi.waitUntil(() => ticks > 20);
  clearInterval(beside);
  expect(held).toHaveLength(1);
  held[0]?.();
  await vi.waitUntil(() => held.length > 1);
  const stopped = work.stop().then(() => 'stopped');
  expect(await Promise.race([stopped, Promise.resolve('running')])).toBe('running');
  held[1]?.();
  expect(await stopped).toBe('stopped');
  expect(held).toHaveLength(2);
});
