import { eventually } from '@caravan/event-store/testing/eventually';
import { Redis } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import { startTcpProxy, type TcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
let proxy: TcpProxy;
beforeAll(async () => {
  const address = new URL(testServers().redis);
  proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  identity = await startIdentity({ REDIS_URL: address.href, FAILURES_PER_ADDRESS: '100000' });
});
afterAll(async () => {
  await identity.close();
  await proxy.close();
});

const isReady = (ready: boolean) =>
  eventually(() => expect(identity.app.get<Redis>(Redis).status === 'ready').toBe(ready));

describe('while Redis is away', () => {
  test('[F05 S42] people stay signed in, sign in, up and out; what ended is ended, also when Redis is back', async () => {
    const email = newEmail();
    const stays = await identity.signedIn({ email });
    const leaves = await identity.signedIn();
    expect((await leaves.get('/api/me')).status).toBe(200);
    await proxy.cut();
    await isReady(false);

    expect((await stays.get('/api/me')).status).toBe(200);
    expect((await stays.refresh()).status).toBe(200);
    expect((await identity.visitor().login(email)).status).toBe(200);
    expect((await identity.visitor().signUp()).status).toBe(200);
    expect((await leaves.post('/api/logout')).status).toBe(200);
    expect((await leaves.get('/api/me')).status).toBe(401);

    await proxy.restore();
    await isReady(true);
    const board = identity.app.get<Redis>(Redis);
    await eventually(async () => expect(await board.get(`sid:${claimsOf(leaves).sid}`)).toBe('ended'));
    expect((await leaves.get('/api/me')).status).toBe(401);
    expect((await stays.get('/api/me')).status).toBe(200);
  });

  test('[S15] guessing is counted in memory', async () => {
    const email = newEmail();
    await proxy.cut();
    await isReady(false);
    const answers = [];
    for (let guess = 0; guess < 11; guess += 1)
      answers.push((await identity.visitor().login(email, 'Wrong-2026!')).status);
    expect(answers).toEqual([...Array<number>(10).fill(401), 429]);
    await proxy.restore();
    await isReady(true);
  });

  test('[F05] the process ends in order', async () => {
    await proxy.cut();
    await isReady(false);
    await identity.close();
  });
});
