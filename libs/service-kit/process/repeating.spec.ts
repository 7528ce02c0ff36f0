import { expect, test, vi } from 'vitest';
import { Repeating } from './repeating.ts';
import { ownBackground } from '../testing/background.ts';

test('what takes longer than its pause never runs twice at a time, and is waited for at the end', async () => {
  const held: (() => void)[] = [];
  const work = new Repeating({
    background: ownBackground(),
    name: 'held',
    everyMilliseconds: 1,
    work: () => new Promise<void>((resolve) => held.push(resolve)),
  });
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

test('a timer whose work fails is late in the record of background work, with the reason', async () => {
  vi.useFakeTimers();
  const background = ownBackground();
  const work = new Repeating({
    background,
    name: 'failing',
    everyMilliseconds: 1_000,
    work: () => Promise.reject(new Error('the database is away')),
  });
  work.start();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(background.late()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(background.late()).toMatchObject([{ kind: 'timer', task: 'failing', problem: 'the database is away' }]);
  await work.stop();
  expect(background.late()).toEqual([]);
  vi.useRealTimers();
});
