import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';

let under: GatewayUnderTest;
/** Ends the answer that somebody did not wait for. */
let endHanging = (): void => undefined;

beforeAll(async () => {
  under = await startGatewayUnderTest(
    ({ url }, response) => {
      if (url.includes('hang')) endHanging = () => void response.end('{}');
      else response.end('{}');
    },
    { METRICS_PORT: 0 },
  );
});
afterAll(() => under.close());

const figures = async () => (await fetch(under.gateway.metricsUrl ?? '')).text();

test('the subscribers and timers of the gateway report to the record of background work', async () => {
  const countSucceeded = async () =>
    [...(await figures()).matchAll(/^caravan_background_last_success_timestamp_seconds\{(.*)\} (\d)/gm)]
      .map(([, labels = '', first]) => `${/task="(.*?)"/.exec(labels)?.[1]} ${first === '0' ? 'never' : 'succeeded'}`)
      .toSorted();
  await expect
    .poll(countSucceeded, { timeout: 30_000 })
    .toEqual([
      'ended-sessions succeeded',
      'gateway.demo succeeded',
      'gateway.open-pages succeeded',
      'gateway.positions succeeded',
      'gateway.presence succeeded',
      'live succeeded',
    ]);
});

test('answers are counted by route and status, never by path, also of those who left; open pages are not', async () => {
  await under.call('/api/user-activities/secret-1');
  await fetch(`${under.gateway.url}/api/user-activities`);
  await fetch(`${under.gateway.url}/dashboard`);
  const page = new AbortController();
  await under.call('/api/events', { signal: page.signal });
  page.abort();
  const leaving = new AbortController();
  const left = under.call('/api/log?hang', { method: 'POST', body: '{}', signal: leaving.signal });
  await expect.poll(() => under.seen.some(({ url }) => url === '/api/log?hang'), { timeout: 10_000 }).toBe(true);
  leaving.abort();
  await expect(left).rejects.toThrow();

  const readFigures = async () =>
    [...(await figures()).matchAll(/^caravan_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
      .map(
        ([, labels = '', count]) =>
          `${/route="(.*?)"/.exec(labels)?.[1]} ${/status="(.*?)"/.exec(labels)?.[1]} ${count}`,
      )
      .toSorted();
  await expect
    .poll(readFigures, { timeout: 10_000 })
    .toEqual(['/* 200 1', '/api/log 499 1', '/api/user-activities 401 1', '/api/user-activities/* 200 1']);
  expect(await figures()).not.toContain('secret-1');
  expect(await figures()).toMatch(/^caravan_open_pages\{service="gateway"\} 0$/m);
  endHanging();
});
