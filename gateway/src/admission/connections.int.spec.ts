import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type RawConnection, openRaw } from '@caravan/service-kit/testing/raw-http';
import { afterEach, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import type { GatewayEnv } from '../env.ts';

let under: GatewayUnderTest;
const opened: RawConnection[] = [];
const strangers: Socket[] = [];
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  for (const socket of strangers.splice(0)) socket.destroy();
  await under.close();
});

const start = async (limits: Partial<GatewayEnv>) => {
  under = await startGatewayUnderTest((_request, response) => response.end('{}'), { METRICS_PORT: 0, ...limits });
};

/** Status of an answer on a connection that stays open, or `closed`. */
async function askOnNew(token?: string): Promise<number | 'closed'> {
  const connection = openRaw(under.gateway.url);
  opened.push(connection);
  const path = token === undefined ? '/health/live' : '/api/me';
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  connection.write(`GET ${path} HTTP/1.1\r\nhost: gateway\r\n${authorization}\r\n`);
  return connection.answer.then(
    ({ status }) => status,
    () => 'closed' as const,
  );
}
async function outcomes(count: number, token?: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let nth = 0; nth < count; nth += 1) all.push(await askOnNew(token));
  return all;
}
const figures = async () => (await fetch(under.gateway.metricsUrl ?? '')).text();
const closedSockets = () => opened.map(({ socket }) => socket.closed);

test('[S25] one address has so many connections of members at a time, and another one once one is closed', async () => {
  await start({ LIMIT_CONNECTIONS_PER_ADDRESS: 3 });
  const token = await under.tokenFor({});
  expect(await outcomes(5, token)).toEqual([200, 200, 200, 'closed', 'closed']);
  expect(await figures()).toMatch(/^caravan_refused_connections_total\{limit="address".*\} 2$/m);
  opened[0]?.socket.destroy();
  await expect.poll(figures).toMatch(/^caravan_open_connections\{.*\} 2$/m);
  expect(await askOnNew(token)).toBe(200);
});

test('[S25] the oldest connection of a stranger gives way to a new one of its address, a member keeps theirs', async () => {
  await start({ LIMIT_CONNECTIONS_PER_ADDRESS: 3 });
  const token = await under.tokenFor({});
  expect(await outcomes(1, token)).toEqual([200]);
  expect(await outcomes(3)).toEqual([200, 200, 200]);
  await expect.poll(closedSockets).toEqual([false, true, false, false]);
  expect(await outcomes(2, token)).toEqual([200, 200]);
  await expect.poll(closedSockets).toEqual([false, true, true, true, false, false]);
  expect(await askOnNew()).toBe('closed');
});

test('[S25] where all connections are taken, one of the network with the most strangers gives way', async () => {
  await start({ LIMIT_CONNECTIONS: 4 });
  const from = (localAddress: string) => {
    const socket = connect({ port: Number(new URL(under.gateway.url).port), host: '127.0.0.1', localAddress });
    strangers.push(socket.resume());
    return once(socket, 'connect');
  };
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.3']) await from(address);
  await expect.poll(figures).toMatch(/^caravan_open_connections\{.*\} 4$/m);
  expect(await askOnNew(await under.tokenFor({}))).toBe(200);
  await expect.poll(() => strangers.map(({ closed: isClosed }) => isClosed)).toEqual([false, true, false, false]);
});

test('[S25] a trusted proxy is as many addresses as there are behind it; all together have so many connections', async () => {
  await start({ LIMIT_CONNECTIONS_PER_ADDRESS: 2, LIMIT_CONNECTIONS: 4, TRUSTED_PROXIES: '127.0.0.0/8' });
  expect(await outcomes(5)).toEqual([200, 200, 200, 200, 'closed']);
  expect(await figures()).toMatch(/^caravan_refused_connections_total\{limit="total".*\} 1$/m);
});
