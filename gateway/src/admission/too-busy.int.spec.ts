import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answering, startGatewayUnderTest } from '../../testing/gateway.ts';

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
    answer.status,
    answer.headers.get('retry-after'),
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

test('[F06] a request that would wait for a busy service until its deadline is told to come back at once', async () => {
  const held: ServerResponse[] = [];
  const queue: Answering = ({ url }, response) => {
    if (url === '/health/live') response.end();
    else held.push(response);
  };
  const busy = await startGatewayUnderTest(queue, { LIMIT_PER_ACCOUNT_PER_MINUTE: 10_000 });
  const tooBusy: { retryAfter: string | null; waiting: number }[] = [];
  let sent = 0;
  let settled = 0;
  const ask = async (): Promise<void> => {
    sent += 1;
    const answer = await busy.call('/api/feed/all');
    settled += 1;
    const { code } = (await answer.json()) as { code?: string };
    if (code === 'gateway/too-busy')
      tooBusy.push({ retryAfter: answer.headers.get('retry-after'), waiting: sent - settled });
  };
  const asked: Promise<void>[] = [];
  // Eight come whenever one goes, at whatever pace this machine has: the wait grows beyond any deadline.
  while (tooBusy.length === 0 && sent < 5_000) {
    for (let nth = 0; nth < 8; nth += 1) asked.push(ask());
    held.shift()?.end('{}');
    await pause(10);
  }
  expect(tooBusy[0]).toMatchObject({ retryAfter: '2' });
  // It did not wait for its turn behind the others, and was not refused for their number, which is a thousand.
  expect(tooBusy[0]?.waiting).toBeGreaterThan(0);
  expect(tooBusy[0]?.waiting).toBeLessThan(1_000);

  const drain = setInterval(() => held.splice(0).forEach((response) => response.end('{}')), 5);
  await Promise.all(asked);
  await expect.poll(async () => (await busy.call('/api/feed/all')).status).toBe(200);
  clearInterval(drain);
  await busy.close();
});
