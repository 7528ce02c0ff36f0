import { beforeEach, expect, test } from 'vitest';
import { HttpError, serverMessage } from './http-error.ts';
import { type Keyed, sendAnew, sendOnce } from './keyed-requests.ts';

type Sent = { body: string };

/** The requests that a server has received, by key, and its answers to the next ones. */
function serverThat(...ends: ('lost' | number)[]) {
  const heard: { key: string; body: string }[] = [];
  const send = async ({ body, headers }: Keyed<Sent>) => {
    heard.push({ key: headers['Idempotency-Key'], body });
    const end = ends.shift();
    if (end === 'lost') throw new TypeError('Failed to fetch');
    if (end !== undefined) throw new HttpError(end, '', '');
    return `saved ${body}`;
  };
  return { heard, send };
}

const expectFailure = async (sent: Promise<unknown>) => expect(sent).rejects.toThrow();

beforeEach(() => localStorage.clear());

test('[D38] the same request is repeated with its own key until there is an answer', async () => {
  const { heard, send } = serverThat('lost', 503);
  await expectFailure(sendOnce('log', { body: 'a' }, send));
  await expectFailure(sendOnce('log', { body: 'a' }, send));
  const outcome = await sendOnce('log', { body: 'a' }, send);
  expect(outcome).toEqual({ answer: 'saved a', request: { body: 'a' }, isRepeated: true, isEarlier: false });
  expect(new Set(heard.map(({ key }) => key)).size).toBe(1);
  await sendOnce('log', { body: 'a' }, send);
  expect(new Set(heard.map(({ key }) => key)).size).toBe(2);
});

test('[D38] after a lost answer the earlier request is repeated first, and its answer says so', async () => {
  const { heard, send } = serverThat('lost');
  await expectFailure(sendOnce('log', { body: 'a' }, send));
  const outcome = await sendOnce('log', { body: 'b' }, send);
  expect(outcome).toEqual({ answer: 'saved a', request: { body: 'a' }, isRepeated: true, isEarlier: true });
  expect(heard.map(({ body }) => body)).toEqual(['a', 'a']);
});

test('[D38] a request whose earlier attempt was refused is sent at once, with a key of its own', async () => {
  const { heard, send } = serverThat('lost', 422);
  await expectFailure(sendOnce('log', { body: 'a' }, send));
  const outcome = await sendOnce('log', { body: 'b' }, send);
  expect(outcome).toMatchObject({ answer: 'saved b', isEarlier: false });
  expect(heard.map(({ body }) => body)).toEqual(['a', 'a', 'b']);
});

test.each([401, 403, 408, 429, 500, 503])(
  '[D38] a repetition that is answered %i leaves the earlier attempt unanswered',
  async (status) => {
    const { heard, send } = serverThat('lost', status);
    await expectFailure(sendOnce('log', { body: 'a' }, send));
    await expectFailure(sendOnce('log', { body: 'b' }, send));
    expect(await sendOnce('log', { body: 'b' }, send)).toMatchObject({ answer: 'saved a', isEarlier: true });
    expect(heard.map(({ body }) => body)).toEqual(['a', 'a', 'a']);
  },
);

test('[D38] a first attempt that a limit refused is forgotten', async () => {
  const { heard, send } = serverThat(429);
  await expectFailure(sendOnce('log', { body: 'a' }, send));
  await sendOnce('log', { body: 'b' }, send);
  expect(heard.map(({ body }) => body)).toEqual(['a', 'b']);
});

test('[D38] no key travels with two requests, whatever is lost, refused and changed', async () => {
  const ends = ['lost', 429, 422, 503, 'lost', 404] as const;
  for (let first = 0; first < ends.length ** 3; first += 1) {
    localStorage.clear();
    const endOf = (nth: number) => ends[Math.floor(first / ends.length ** nth) % ends.length] ?? 'lost';
    const { heard, send } = serverThat(endOf(0), endOf(1), endOf(2));
    for (const body of ['a', 'b', 'b', 'c', 'a']) {
      await sendOnce('log', { body }, send).catch(() => undefined);
      await sendAnew({ body }, send).catch(() => undefined);
    }
    const bodies = new Map<string, Set<string>>();
    for (const { key, body } of heard) bodies.set(key, (bodies.get(key) ?? new Set()).add(body));
    expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
  }
});

test('[D38] the words about a reused key are for programs and are not shown', () => {
  const message = 'This Idempotency-Key was already used for a different request';
  const errors = [{ path: 'Idempotency-Key', message }];
  const error = new HttpError(422, '', JSON.stringify({ code: 'idempotency/key-reused', message, errors }));
  expect(serverMessage(error, 'Please try again.')).toBe('Please try again.');
});
