import { randomUUID } from '@caravan/contracts/testing/seeded';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { recordedTypes } from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';
import { AppModule } from '../app.module.ts';
import { handleAdminCommand } from './operator.service.ts';

const orgId = randomUUID();
let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ DEFAULT_ORGANISATION_ID: orgId, ALLOW_FOUNDING: 'false', PASSWORD_CHECK: 'block' });
});
afterAll(() => identity.close());

const strong = 'Tr4nsparent-Kettle';
const handle = (...args: string[]) =>
  handleAdminCommand(args, { env: identity.env, module: AppModule.forRoot(identity.env) });

describe('the default organisation', () => {
  test('[D1] while it does not exist, nobody can sign up, and nothing is created', async () => {
    const answer = await identity.visitor().signUp({ password: strong });
    expect(answer).toMatchObject({ status: 503, body: { code: 'signup/no-default-organisation' } });
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await identity.rows('select from persons')).toEqual([]);
  });

  test('[D1] is founded by the operator, once, with its two teams', async () => {
    for (let again = 0; again < 2; again += 1) {
      expect(await handle('--found-default', 'Caravan Demo', '--time-zone', 'Europe/Berlin')).toBe(true);
    }
    expect(await identity.rows('select org_id, name, time_zone from organisations')).toEqual([
      { orgId, name: 'Caravan Demo', timeZone: 'Europe/Berlin' },
    ]);
    expect(await recordedTypes(identity, orgId)).toEqual(['OrganisationFounded', 'TeamFormed', 'TeamFormed']);
  });

  test('[D1] takes in as member whoever signs up without an invite, in its time zone', async () => {
    const maya = identity.visitor();
    expect((await maya.signUp({ password: strong })).body['user']).toMatchObject({ role: 'member' });
    expect((await maya.get('/api/me')).body).toMatchObject({ role: 'member', timeZone: 'Europe/Berlin' });
    expect((await maya.get('/api/org/branding')).body['name']).toBe('Caravan Demo');
  });

  test('[D1] where founding is switched off, a name for an organisation is refused', async () => {
    const answer = await identity.visitor().signUp({ password: strong, organizationName: 'Acme' });
    expect(answer).toMatchObject({ status: 422, body: { code: 'signup/founding-off' } });
  });
});

describe('appointing an admin', () => {
  test('[D3] makes a member admin once they sign in again', async () => {
    const email = newEmail();
    const admin = identity.visitor();
    await admin.signUp({ email, password: strong });
    for (let again = 0; again < 2; again += 1) expect(await handle('--appoint-admin', email.toUpperCase())).toBe(true);
    expect((await admin.get('/api/me')).status).toBe(401);
    expect((await admin.login(email, strong)).body['user']).toMatchObject({ role: 'admin' });
    expect((await admin.get('/api/me')).body['role']).toBe('admin');
  });

  test('[D54] counts addresses as confirmed without a mail, again and again without harm', async () => {
    const one = newEmail();
    const other = newEmail();
    const visitor = await identity.signedIn({ email: one, password: strong });
    await identity.signedIn({ email: other, password: strong });
    for (let again = 0; again < 2; again += 1)
      expect(await handle('--confirm-address', one.toUpperCase(), '--confirm-address', other)).toBe(true);
    expect((await visitor.get('/api/me')).body).toMatchObject({ isEmailConfirmed: true });
    await expect(handle('--confirm-address', newEmail())).rejects.toThrow('Nobody has signed up with this address');
  });

  test('[D3] of an unknown address says so', async () => {
    await expect(handle('--appoint-admin', newEmail())).rejects.toThrow('Nobody has signed up with this address');
  });

  test('a command line that is none of these is the service’s start', async () => {
    expect(await handle()).toBe(false);
    await expect(handle('--found')).rejects.toThrow();
    await expect(handle('--found-default', 'X', '--time-zone', 'Mars/Olympus')).rejects.toThrow();
  });
});

test.each(['Password123!', 'Okafor-1987'])(
  '[S13] the easily guessed password %s is refused where those are blocked',
  async (password) => {
    const answer = await identity.visitor().signUp({ password });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'password/easily-guessed', errors: [{ path: 'password' }] },
    });
  },
);
