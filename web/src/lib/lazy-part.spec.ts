import { beforeEach, expect, test, vi } from 'vitest';
import { loadPart } from './lazy-part.ts';

const abortedImport = () => Promise.reject(new TypeError('error loading dynamically imported module: /assets/a.js'));

beforeEach(() => void dispatchEvent(new Event('pageshow')));

test('[D36] a part that cannot be loaded fails on a page that stays', async () => {
  await expect(loadPart(abortedImport)).rejects.toThrow('/assets/a.js');
});

test('[D36] a part whose load a navigation aborted shows no error on the page that is left', async () => {
  const load = vi.fn(abortedImport);
  dispatchEvent(new Event('beforeunload'));
  const ended = vi.fn();
  loadPart(load).then(ended, ended);
  expect(load).toHaveBeenCalledTimes(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(ended).not.toHaveBeenCalled();
});

test('[D36] a part whose load was aborted is loaded again when its page is shown again', async () => {
  const load = vi.fn<() => Promise<string>>().mockImplementationOnce(abortedImport).mockResolvedValueOnce('the part');
  dispatchEvent(new Event('beforeunload'));
  const part = loadPart(load);
  // The load fails and waits by then.
  await new Promise((resolve) => setTimeout(resolve));
  expect(load).toHaveBeenCalledTimes(1);
  dispatchEvent(new Event('pageshow'));
  expect(await part).toBe('the part');
});

test('[D36] a part is loaded again after a navigation that became a download', async () => {
  vi.useFakeTimers();
  try {
    const load = vi.fn<() => Promise<string>>().mockImplementationOnce(abortedImport).mockResolvedValueOnce('the part');
    dispatchEvent(new Event('beforeunload'));
    const part = loadPart(load);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await part).toBe('the part');
  } finally {
    vi.useRealTimers();
  }
});
