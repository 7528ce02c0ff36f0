import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HttpError } from './http-error.ts';
import { persistently } from './persistent.ts';

const signal = () => new AbortController().signal;
const transfer = (status: number, message = 'Non 2xx', headers: Record<string, string> = {}) =>
  Object.assign(new Error(message), {
    source: { status, getResponseHeader: (name: string) => headers[name] ?? null },
  });

/** Fails with these, one after the other, then succeeds; says when it was tried. */
function failing(...errors: Error[]) {
  const triedAt: number[] = [];
  const begun = Date.now();
  const work = () => {
    const error = errors[triedAt.length];
    triedAt.push(Date.now() - begun);
    return error ? Promise.reject(error) : Promise.resolve('arrived');
  };
  return { work, triedAt };
}

/** How it ended, as soon as the clock has gone far enough. */
async function endOf(work: () => Promise<string>, under = signal()): Promise<string> {
  const end = persistently(work, under).catch((error: unknown) => (error as Error).message);
  await vi.advanceTimersByTimeAsync(60_000);
  return end;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ['an outage', transfer(503)],
  ['a broken connection', transfer(0, 'Unknown error')],
  ['an outage of the API', new HttpError(502, 'Bad Gateway', '')],
  ['no answer of the API', new TypeError('Failed to fetch')],
  ['an address that is too old', transfer(403, 'Request has expired')],
])('[9.26 8.15] after %s it is tried again at once, then after 1, 3 and 5 seconds', async (_, error) => {
  const { work, triedAt } = failing(error, error, error, error);
  expect(await endOf(work)).toBe('arrived');
  expect(triedAt).toEqual([0, 0, 1000, 4000, 9000]);
});

test('[9.26] after the fifth failure it is given up', async () => {
  const { work, triedAt } = failing(...Array.from({ length: 9 }, () => transfer(503)));
  expect(await endOf(work)).toBe('Non 2xx');
  expect(triedAt).toHaveLength(5);
});

test.each([
  transfer(400),
  transfer(403, 'Non 2xx'),
  transfer(413),
  new HttpError(422, '', '{"message":"No photo"}'),
  new HttpError(429, '', '{"message":"Thirty an hour"}'),
])('[8.15] what is refused is not tried again: %s', async (error) => {
  const { work, triedAt } = failing(error);
  expect(await endOf(work)).toBe(error.message);
  expect(triedAt).toEqual([0]);
});

test('[4.41 8.15] 429 slows down, by as much as it says', async () => {
  const { work, triedAt } = failing(transfer(429), transfer(429, 'Non 2xx', { 'retry-after': '7' }));
  expect(await endOf(work)).toBe('arrived');
  expect(triedAt).toEqual([0, 0, 7000]);
});

test('[4.41] without a network it waits for one, however long, and no try is spent', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { work, triedAt } = failing(...Array.from({ length: 9 }, () => transfer(0)));
  const end = persistently(work, signal());
  for (let drops = 1; drops <= 8; drops += 1) {
    await vi.advanceTimersByTimeAsync(600_000);
    expect(triedAt).toHaveLength(drops);
    dispatchEvent(new Event('online'));
  }
  await vi.advanceTimersByTimeAsync(0);
  isOnline.mockReturnValue(true);
  dispatchEvent(new Event('online'));
  expect(await end).toBe('arrived');
});

test('what was cancelled is not tried again', async () => {
  const cancelled = new AbortController();
  const { work, triedAt } = failing(transfer(503), transfer(503), transfer(503));
  const end = persistently(work, cancelled.signal).catch((error: unknown) => (error as Error).name);
  await vi.advanceTimersByTimeAsync(500);
  cancelled.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await end).toBe('AbortError');
  expect(triedAt).toEqual([0, 0]);
});
