import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { random } from '@caravan/contracts/testing/seeded';
import { afterEach, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import { type ProcessesUnderTest, startProcesses } from '../../testing/processes.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function startBehindGateway(count: number) {
  const processes = await startProcesses(count);
  endings.push(() => processes.close());
  const under = await startGatewayUnderTest((_request, response) => void response.end('{}'), {
    ACTIVITY_URL: processes.url,
    LIMIT_PER_ACCOUNT_PER_MINUTE: 100_000,
    LIMIT_PER_ADDRESS_PER_MINUTE: 100_000,
    // A fast machine writes more than a member may.
    LIMIT_WRITES_FACTOR: 1_000,
    METRICS_PORT: 0,
  });
  endings.push(() => under.close());
  return { processes, under };
}

let nth = 0;
const read = (under: GatewayUnderTest) => under.call(`/api/logs?nth=${(nth += 1)}`);
const writeWithKey = (under: GatewayUnderTest, key = `key-${(nth += 1)}`) =>
  under.call('/api/log', { method: 'POST', body: '{}', headers: { 'idempotency-key': key } });
const writeWithoutKey = (under: GatewayUnderTest) =>
  under.call(`/api/log?nth=${(nth += 1)}`, { method: 'POST', body: '{}' });

const statusesOf = async (answers: readonly Promise<Response>[]) =>
  Promise.all(answers.map(async (asked) => (await asked).status));

/** Opens connections to every process: as many requests at once as there should be connections. */
async function warmUp(under: GatewayUnderTest, processes: ProcessesUnderTest): Promise<void> {
  const haveRequests = async () => {
    await statusesOf(Array.from({ length: 12 }, () => read(under)));
    return processes.all.every(({ requests }) => requests() > 0);
  };
  await expect.poll(haveRequests).toBe(true);
}

const allAnswered = (count: number) => Array.from({ length: count }, () => 200);

/** A busy machine may not check a session in time. No such answer comes from a connection that broke. */
const isOverload = (code: string) => /^(auth|service)\/|^gateway\/too-busy$/.test(code);

/** Ports at which nobody listens. */
async function closedPorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

describe('behind a service with three processes', () => {
  test('[F18] no request fails while each process is replaced in turn, with or without a key', async () => {
    const { processes, under } = await startBehindGateway(3);
    await warmUp(under, processes);
    const codes = new Set<string>();
    let isOver = false;
    let reads = 0;
    let writes = 0;
    const work = async (ask: (under: GatewayUnderTest) => Promise<Response>) => {
      while (!isOver) {
        const answer = await ask(under);
        const { code } = (await answer.json()) as { code?: string };
        if (code !== undefined) codes.add(code);
        else if (ask === read) reads += 1;
        else writes += 1;
        // Connections are idle now and then, as those of a gateway are.
        await new Promise((resolve) => setTimeout(resolve, random() * 20));
      }
    };
    const kinds = [read, read, writeWithKey, writeWithoutKey, writeWithoutKey, writeWithoutKey];
    const working = kinds.map(work);
    for (const old of [...processes.all]) {
      await processes.add();
      await old.end();
    }
    isOver = true;
    await Promise.all(working);
    expect([...codes].filter((code) => !isOverload(code))).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(processes.handled.size).toBeGreaterThanOrEqual(writes);
    expect([...processes.handled.values()].filter((times) => times !== 1)).toEqual([]);
  });

  test('[F18] a write reaches the one process that is left while the balancer still sends to six that ended', async () => {
    const { processes, under } = await startBehindGateway(0);
    for (const port of await closedPorts(6)) processes.sendTo(port);
    await processes.add();
    expect(await statusesOf([writeWithoutKey(under)])).toEqual([200]);
    expect([...processes.handled.values()]).toEqual([1]);
  });

  test('[F03] reads and writes with a key are answered by the others when one process hangs', async () => {
    const statusesAfterFreeze = async () => {
      const { processes, under } = await startBehindGateway(3);
      await warmUp(under, processes);
      processes.all[0]?.freeze();
      // More requests than connections, so that those to the hanging process are used.
      const asked = Array.from({ length: 24 }, (_, each) => (each < 8 ? read : writeWithKey)(under));
      const statuses = await statusesOf(asked);
      return { statuses, twice: [...processes.handled.values()].filter((times) => times !== 1) };
    };
    // On a busy machine the other processes may be late, too: then it is tried with new ones.
    await expect.poll(statusesAfterFreeze).toEqual({ statuses: allAnswered(24), twice: [] });
  });

  test('[F03] a write without a key that met the hanging process fails alone; others are not refused', async () => {
    const { processes, under } = await startBehindGateway(3);
    await warmUp(under, processes);
    processes.all[0]?.freeze();
    const round = () => statusesOf(Array.from({ length: 12 }, () => writeWithoutKey(under)));
    expect(await round()).toContain(503);
    await expect.poll(round).toEqual(allAnswered(12));
  });

  test('[S42] nobody waits for a service whose processes all hang, until one of them answers again', async () => {
    const { processes, under } = await startBehindGateway(3);
    await warmUp(under, processes);
    for (const { freeze } of processes.all) freeze();
    expect(new Set(await statusesOf([read(under), writeWithKey(under)]))).toEqual(new Set([503]));
    const metrics = async () => (await fetch(under.gateway.metricsUrl ?? '')).text();
    await expect.poll(metrics).toMatch(/caravan_breaker_state\{dependency="activity".*\} [12]/);
    expect((await read(under)).headers.get('retry-after')).toBe('2');
    processes.all[1]?.thaw();
    await expect.poll(metrics).toMatch(/caravan_breaker_state\{dependency="activity".*\} 0/);
    // Not repeated elsewhere, so each would fail on a connection to a process that still hangs.
    expect(await statusesOf(Array.from({ length: 12 }, () => writeWithoutKey(under)))).toEqual(allAnswered(12));
  });
});
