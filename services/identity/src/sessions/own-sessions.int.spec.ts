import { randomUUID } from '@caravan/contracts/testing/seeded';
import { ownSessionsSchema } from '@caravan/contracts/http/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { age, claimsOf } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const idOf = (visitor: Visitor) => claimsOf(visitor).sid;
const listOf = async (visitor: Visitor) => {
  const { status, body } = await visitor.get('/api/me/sessions');
  expect(status).toBe(200);
  return ownSessionsSchema.element.strict().array().parse(body);
};

async function twoDevices() {
  const email = newEmail();
  const phone = await identity.signedIn({ email });
  const laptop = identity.visitor();
  const { body } = await laptop.post('/api/login', { email, password }, { 'user-agent': firefox });
  laptop.token = String(body['token']);
  return { phone, laptop, email };
}

describe('own sessions', () => {
  test('[S07 D43] are listed with device and times, the one seen last first, the current one marked', async () => {
    const { phone, laptop } = await twoDevices();
    const [first, second, ...others] = await listOf(phone);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: idOf(laptop), device: 'Firefox on Linux', isCurrent: false });
    expect(second).toMatchObject({ id: idOf(phone), isCurrent: true });
    expect(first?.createdAt).toBe(first?.lastSeenAt);
    expect((await listOf(laptop)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect((await phone.refresh()).status).toBe(200);
    expect((await listOf(phone)).map(({ id }) => id)).toEqual([idOf(phone), idOf(laptop)]);
  });

  test('[S07] that ended or went idle are not listed', async () => {
    const { phone, laptop } = await twoDevices();
    await age(identity, idOf(laptop), '8 days');
    expect((await listOf(phone)).map(({ id }) => id)).toEqual([idOf(phone)]);
    expect((await phone.call('DELETE', `/api/me/sessions/${idOf(laptop)}`)).status).toBe(404);
  });

  test('[S04 S07] are ended at once, and nothing else is', async () => {
    const { phone, laptop } = await twoDevices();
    expect((await laptop.get('/api/me')).status).toBe(200);
    expect(await phone.call('DELETE', `/api/me/sessions/${idOf(laptop)}`)).toMatchObject({
      status: 200,
      body: { ended: true },
    });
    expect(await laptop.get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
    expect((await laptop.refresh()).status).toBe(401);
    expect((await phone.get('/api/me')).status).toBe(200);
    expect((await phone.refresh()).status).toBe(200);
    expect((await phone.call('DELETE', `/api/me/sessions/${idOf(laptop)}`)).status).toBe(404);
  });

  test('[S07] the current one may be ended too, and takes its cookie along', async () => {
    const { phone, laptop } = await twoDevices();
    const answer = await phone.call('DELETE', `/api/me/sessions/${idOf(phone)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=; .*Expires=Thu, 01 Jan 1970/);
    expect((await phone.get('/api/me')).status).toBe(401);
    expect((await laptop.get('/api/me')).status).toBe(200);
  });

  test.each([
    ['a colleague’s', async () => idOf(await identity.signedIn())],
    ['another organisation’s', async () => idOf(await identity.signedIn({ organizationName: 'Other' }))],
    ['an unknown one', async () => randomUUID()],
    ['a name that is no id', async () => 'current'],
  ])('[S07 S18 D4] %s is not found, and goes on', async (_, foreign) => {
    const maya = await identity.signedIn();
    const id = await foreign();
    expect((await maya.call('DELETE', `/api/me/sessions/${id}`)).status).toBe(404);
    const ended = await identity.rows('select from sessions where session_id::text = $1 and ended_at is not null', [
      id,
    ]);
    expect(ended).toEqual([]);
  });
});
