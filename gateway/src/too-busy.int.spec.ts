import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startGatewayUnderTest } from '../testing/gateway.ts';

test('[S18 F06] a thousand may wait for what takes long, who comes then is refused at once; who leaves keeps the place until its turn; nobody else waits behind them', async () => {
  const held: (() => void)[] = [];
  let isHolding = false;
  const busy = await startGatewayUnderTest(
    ({ url }, response) => {
      if (isHolding && url === '/api/signup') held.push(() => response.end('{}'));
      else response.end('{}');
    },
    { LIMIT_PER_ACCOUNT_PER_MINUTE: 10_000, LIMIT_PER_ADDRESS_PER_MINUTE: 10_000 },
  );
  // With the keys at hand: who is refused here is refused for the crowd.
  expect((await busy.call('/api/me')).status).toBe(200);
  isHolding = true;
  const signUp = (signal?: AbortSignal) =>
    busy.call('/api/signup', { method: 'POST', body: '{}', ...(signal && { signal }) });
  const outcomeOf = async (answer: Response) => [
    ...[answer.status, answer.headers.get('retry-after')],
    ((await answer.json()) as { code?: string }).code,
  ];
  const tooBusy = [503, '2', 'gateway/too-busy'];
  const going = Array.from({ length: 100 }, () => signUp());
  await expect.poll(() => held.length).toBe(64);
  const leaving = new AbortController();
  const left: Promise<Response>[] = [];
  while (left.length < 1_000 - 36 + 1) {
    left.push(signUp(leaving.signal));
    // No more at a time than the system lets wait for being accepted.
    if (left.length % 200 === 0) await fetch(`${busy.gateway.url}/health/live`);
  }
  expect(await outcomeOf(await Promise.race([...going, ...left]))).toEqual(tooBusy);

  leaving.abort();
  await Promise.allSettled(left);
  for (let again = 0; again < 20; again += 1) {
    expect(await outcomeOf(await signUp())).toEqual(tooBusy);
    expect((await busy.call('/api/me')).status).toBe(200);
  }

  isHolding = false;
  for (const answer of held) answer();
  expect(new Set((await Promise.all(going)).map(({ status }) => status))).toEqual(new Set([200]));
  await expect.poll(async () => (await signUp()).status).toBe(200);
  await busy.close();
});

test('who would wait for a busy service until it is too late is told to come back at once; who waits is answered', async () => {
  const waiting: ServerResponse[] = [];
  let answered = 0;
  const busy = await startGatewayUnderTest((_seen, response) => void waiting.push(response), {
    LIMIT_PER_ACCOUNT_PER_MINUTE: 10_000,
  });
  // One after the other: a thousand would take twice as long as anybody waits.
  const pace = setInterval(() => {
    if (waiting.shift()?.end('{}')) answered += 1;
  }, 5);
  const ask = async (): Promise<string> => {
    const answer = await busy.call('/api/feed/all');
    const { code = '' } = (await answer.json()) as { code?: string };
    return `${answer.status} ${code}`;
  };
  const first = Array.from({ length: 300 }, ask);
  await expect.poll(() => answered).toBeGreaterThan(120);
  const next = Array.from({ length: 900 }, ask);
  const outcomes = await Promise.all([...first, ...next]);
  clearInterval(pace);
  expect(new Set(outcomes)).toEqual(new Set(['200 ', '503 gateway/too-busy']));
  expect(new Set(await Promise.all(first))).toEqual(new Set(['200 ']));
  await busy.close();
});
