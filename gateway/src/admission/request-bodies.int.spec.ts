import { type RawConnection, openRaw } from '@caravan/service-kit/testing/raw-http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testClaims } from '@caravan/auth/testing/tokens';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import { deliveryBodyBytes, openBodyBytes, signedInBodyBytes } from './request-bodies.ts';

const trusting = { METRICS_PORT: 0, TRUSTED_PROXIES: '127.0.0.1' };
const home = '192.0.2.1';
const office = '192.0.2.2';

type Sent = { readonly path?: string; readonly bytes: number; readonly token?: string; readonly from?: string };

/** A request of which all but the last byte is sent. */
function sendUnfinished(
  under: GatewayUnderTest,
  { path = '/api/log', bytes, token, from = home }: Sent,
): RawConnection {
  const connection = openRaw(under.gateway.url);
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: gateway',
    `content-length: ${bytes}`,
    'content-type: application/json',
    `x-forwarded-for: ${from}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ];
  connection.write(`${lines.join('\r\n')}\r\n\r\n`);
  connection.write(Buffer.alloc(bytes - 1, ' '));
  return connection;
}

async function heldBodies(under: GatewayUnderTest): Promise<{ bodies: number; bytes: number }> {
  const figures = await (await fetch(under.gateway.metricsUrl ?? '')).text();
  const figure = (name: string) => Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(figures)?.[1]);
  return { bodies: figure('caravan_unfinished_bodies'), bytes: figure('caravan_unfinished_body_bytes') };
}

const post = (under: GatewayUnderTest, path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${under.gateway.url}${path}`, { method: 'POST', body, headers: { 'x-forwarded-for': office, ...headers } });

describe('a body that arrives without a token', () => {
  let under: GatewayUnderTest;
  beforeAll(async () => {
    under = await startGatewayUnderTest((_request, response) => response.end('{}'), trusting);
  });
  afterAll(() => under.close());

  test('[S24 S01] a body without a token is refused before a byte of it is held', async () => {
    const senders = Array.from({ length: 150 }, () => sendUnfinished(under, { bytes: signedInBodyBytes }));
    let mostBytes = 0;
    const answers = Promise.all(senders.map(({ answer }) => answer));
    for (let isOver = false; !isOver;) {
      mostBytes = Math.max(mostBytes, (await heldBodies(under)).bytes);
      isOver = await Promise.race([answers.then(() => true), heldBodies(under).then(() => false)]);
    }
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([401]));
    expect(mostBytes).toBe(0);
    expect(under.seen).toEqual([]);
    for (const { socket } of senders) socket.destroy();
  });

  test('[S24] may have 16 KB where none is needed, announced or not', async () => {
    expect((await post(under, '/api/login', ' '.repeat(openBodyBytes))).status).toBe(200);
    const announced = sendUnfinished(under, { path: '/api/login', bytes: openBodyBytes + 1 });
    expect((await announced.answer).status).toBe(413);
    announced.socket.destroy();
    const chunked = openRaw(under.gateway.url);
    chunked.write('POST /api/login HTTP/1.1\r\nhost: gateway\r\ntransfer-encoding: chunked\r\n\r\n');
    const part = `2000\r\n${' '.repeat(0x2000)}\r\n`;
    chunked.write(part + part + part);
    expect((await chunked.answer).status).toBe(413);
    chunked.socket.destroy();
    await expect.poll(() => heldBodies(under)).toEqual({ bodies: 0, bytes: 0 });
  });

  test('[S33 S24] may have 256 KB where a platform signs its bytes', async () => {
    const path = '/api/webhooks/google-health';
    // The double in place of the services does not listen as integrations.
    expect((await post(under, path, ' '.repeat(deliveryBodyBytes))).status).toBe(503);
    expect((await post(under, path, ' '.repeat(deliveryBodyBytes + 1))).status).toBe(413);
  });

  test('[S24] counts as unfinished while the rest of it arrives after its refusal', async () => {
    const refused = sendUnfinished(under, { path: '/api/login', bytes: 20_000 });
    expect((await refused.answer).status).toBe(413);
    await expect.poll(() => heldBodies(under)).toEqual({ bodies: 1, bytes: 0 });
    refused.write(' ');
    await expect.poll(() => heldBodies(under)).toEqual({ bodies: 0, bytes: 0 });
    refused.socket.destroy();
  });

  test('[S24 S40] for a path that does not exist is not waited for', async () => {
    const lost = sendUnfinished(under, { path: '/nowhere', bytes: 1_000 });
    expect((await lost.answer).status).toBe(404);
    lost.socket.destroy();
  });
});

describe('bodies of the signed-in that are arriving', () => {
  const limits = { LIMIT_UNFINISHED_BODIES: 6, LIMIT_UNFINISHED_BODIES_PER_ADDRESS: 4, LIMIT_UNFINISHED_MEGABYTES: 2 };
  let under: GatewayUnderTest;
  let token: string;
  beforeAll(async () => {
    under = await startGatewayUnderTest((_request, response) => response.end('{}'), { ...trusting, ...limits });
    token = await under.tokenFor(testClaims());
  });
  afterAll(() => under.close());

  async function standing(count: number, sent: Omit<Sent, 'token'>): Promise<() => Promise<void>> {
    const before = await heldBodies(under);
    const all = Array.from({ length: count }, () => sendUnfinished(under, { ...sent, token }));
    await expect
      .poll(() => heldBodies(under), { timeout: 10_000 })
      .toEqual({ bodies: before.bodies + count, bytes: before.bytes + count * (sent.bytes - 1) });
    return async () => {
      for (const { socket } of all) socket.destroy();
      await expect.poll(() => heldBodies(under)).toEqual(before);
    };
  }
  const log = (from: string) =>
    post(under, '/api/log', '{}', { authorization: `Bearer ${token}`, 'x-forwarded-for': from });

  test('[S24 S25] unfinished bodies are limited by address, and no longer count once their senders leave', async () => {
    const leave = await standing(4, { bytes: 1_000 });
    const refused = await log(home);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ code: 'gateway/too-many-bodies' });
    expect((await log(office)).status).toBe(200);
    await leave();
    expect((await log(home)).status).toBe(200);
  });

  test('[S24] unfinished bodies are limited in total', async () => {
    const leaveHome = await standing(3, { bytes: 1_000 });
    const leaveOffice = await standing(3, { bytes: 1_000, from: office });
    const refused = await log('192.0.2.3');
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'gateway/too-busy' }]);
    await leaveOffice();
    await leaveHome();
  });

  test('[S24] take half of the memory for bodies at most from one address', async () => {
    const leave = await standing(1, { bytes: 700_000 });
    const second = sendUnfinished(under, { bytes: 700_000, token });
    expect((await second.answer).status).toBe(429);
    second.socket.destroy();
    await expect.poll(() => heldBodies(under)).toEqual({ bodies: 1, bytes: 699_999 });
    const elsewhere = await standing(1, { bytes: 700_000, from: office });
    await elsewhere();
    await leave();
  });

  test('[S24] bodies of a megabyte are taken whole', async () => {
    const body = 'x'.repeat(signedInBodyBytes);
    under.seen.length = 0;
    expect((await post(under, '/api/log', body, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(under.seen[0]?.body).toBe(body);
  });
});

describe('bodies of strangers that stand still', () => {
  const limits = { LIMIT_UNFINISHED_BODIES: 8, LIMIT_UNFINISHED_BODIES_PER_ADDRESS: 4 };
  let under: GatewayUnderTest;
  const opened: RawConnection[] = [];
  beforeAll(async () => {
    under = await startGatewayUnderTest((_request, response) => response.end('{}'), { ...trusting, ...limits });
  });
  afterEach(async () => {
    for (const { socket } of opened.splice(0)) socket.destroy();
    await expect.poll(() => heldBodies(under)).toEqual({ bodies: 0, bytes: 0 });
  });
  afterAll(() => under.close());

  const open = (sent: Sent) => {
    const connection = sendUnfinished(under, sent);
    opened.push(connection);
    return connection;
  };
  const bodies = async () => (await heldBodies(under)).bodies;
  const write = async (from: string) => {
    const authorization = `Bearer ${await under.tokenFor(testClaims())}`;
    return (await post(under, '/api/log', '{}', { authorization, 'x-forwarded-for': from })).status;
  };

  test('[S24 S25] take half of all places, so that a member elsewhere finds one', async () => {
    for (const from of [home, office, '192.0.2.3', '192.0.2.4'])
      for (let nth = 0; nth < 2; nth += 1) open({ path: '/api/login', bytes: 100, from });
    await expect.poll(bodies).toBe(4);
    const refused = await post(under, '/api/login', '{}', { 'x-forwarded-for': '192.0.2.5' });
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'gateway/too-busy' }]);
    expect(await write('192.0.2.6')).toBe(200);
  });

  test('[S24 S25] take half of the places of their network, so that a member behind the same address finds one', async () => {
    for (let nth = 0; nth < 2; nth += 1) open({ path: '/api/login', bytes: 100 });
    await expect.poll(bodies).toBe(2);
    const refused = await post(under, '/api/login', '{}', { 'x-forwarded-for': home });
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'gateway/too-many-bodies' }]);
    expect(await write(home)).toBe(200);
  });

  test('[S24 S25] refused bodies are counted after their refusal, and beyond their places the connection is closed', async () => {
    const answers = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const { status, headers } = await open({ path: '/api/log', bytes: 100_000 }).answer;
      answers.push([status, headers.get('connection')]);
    }
    expect(answers).toEqual([
      [401, 'keep-alive'],
      [401, 'keep-alive'],
      [401, 'close'],
    ]);
    expect(await write(home)).toBe(200);
  });
});
