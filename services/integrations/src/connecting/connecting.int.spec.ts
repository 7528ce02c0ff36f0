import { randomUUID } from '@caravan/contracts/testing/seeded';
import { memberDeactivated, memberErased } from '@caravan/contracts/events/identity.events';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IntegrationsUnderTest, startIntegrations, stateIn } from '../testing/integrations-under-test.ts';
import { ProviderFailure } from '../providers/index.ts';

let service: IntegrationsUnderTest;
beforeAll(async () => {
  service = await startIntegrations();
});
afterAll(() => service.close());

const expired = '/account-settings?failed=strava&why=expired';

describe('[4.30 7.22 7.23] connecting', () => {
  test('leads to the platform and back, and what was done lately is fetched', async () => {
    const maya = service.someone();
    const { status, location } = await service.connect(maya, 'strava', '?scored=true&from=settings', '4711');
    expect([status, location]).toEqual([303, '/settings?connected=strava']);
    expect(await service.accountOf(maya, 'strava')).toMatchObject({
      state: 'connected',
      providerUserId: '4711',
      isScored: true,
      audience: 'owner',
    });
    expect(service.imports.of(maya)).toEqual([['begin']]);
  });

  test('[D21] Strava scores only who has consented to it; Fitbit needs no consent', async () => {
    const maya = service.someone();
    expect((await service.connect(maya, 'strava')).location).toBe('/account-settings?connected=strava');
    expect((await service.connect(maya, 'fitbit')).location).toBe('/account-settings?connected=fitbit');
    const readScored = async () => [
      (await service.accountOf(maya, 'strava'))?.isScored,
      (await service.accountOf(maya, 'fitbit'))?.isScored,
    ];
    expect(await readScored()).toEqual([false, true]);
    const client = await service.as(maya);
    const { status, body } = await client.patch('/api/fitness/strava', { isScored: true });
    expect([status, body]).toEqual([200, expect.objectContaining({ provider: 'strava', isScored: true })]);
    expect(service.imports.of(maya)).toContainEqual(['rescore', true]);
    expect(await readScored()).toEqual([true, true]);
    const stranger = await service.as({ ...maya, userId: randomUUID() });
    expect((await stranger.patch('/api/fitness/strava', { isScored: false })).status).toBe(409);
  });

  test('again is connecting anew: another consent counts for what was imported before', async () => {
    const maya = service.someone();
    await service.connect(maya, 'strava', '?scored=true', 'again');
    await service.connect(maya, 'strava', '?scored=false', 'again');
    expect(service.imports.of(maya)).toEqual([['begin'], ['rescore', false], ['begin']]);
    expect(await service.accountOf(maya, 'strava')).toMatchObject({ state: 'connected', isScored: false });
  });

  test('a platform that is not set up, or that nobody knows, cannot be connected', async () => {
    const maya = service.someone();
    service.platforms.fitbit.isSetUp = false;
    expect((await service.begin(maya, 'fitbit')).status).toBe(409);
    service.platforms.fitbit.isSetUp = true;
    const client = await service.as(maya);
    expect((await client.get('/api/fitness/garmin/auth')).status).toBe(404);
    expect((await service.nobody.get('/api/fitness/garmin/callback')).status).toBe(404);
    expect((await service.nobody.get('/api/fitness/strava/auth')).status).toBe(401);
  });

  test('[8.11] whatever the platform says, the browser comes back to a screen that explains it', async () => {
    const { strava } = service.platforms;
    const comingBack = async (change: (came: Record<string, string>) => void) => {
      const { authUrl, cookie } = await service.begin(service.someone(), 'strava', '?from=settings');
      const came: Record<string, string> = { state: stateIn(authUrl), code: strava.allow(authUrl).code };
      change(came);
      return (await service.comeBack('strava', came, cookie)).location;
    };
    const failing = (why: ProviderFailure['why']) => () => Promise.reject(new ProviderFailure(why, 'as asked'));
    expect(await comingBack((came) => (came['error'] = 'access_denied'))).toBe('/settings?failed=strava&why=refused');
    expect(await comingBack((came) => (came['code'] = 'another'))).toBe('/settings?failed=strava&why=expired');
    for (const [why, outcome] of [
      ['unreachable', 'unreachable'],
      ['busy', 'unreachable'],
      ['unreadable', 'unreachable'],
      ['scope', 'scope'],
      ['refused', 'expired'],
    ] as const) {
      strava.before.exchange = failing(why);
      expect(await comingBack(() => undefined)).toBe(`/settings?failed=strava&why=${outcome}`);
    }
    strava.before = {};
  });

  test('an account at a platform belongs to one member', async () => {
    const maya = service.someone();
    const omar = service.someone();
    await service.connect(maya, 'strava', '', 'shared');
    const { location } = await service.connect(omar, 'strava', '', 'shared');
    expect(location).toBe('/account-settings?failed=strava&why=taken');
    expect(await service.accountOf(omar, 'strava')).toMatchObject({ state: 'not-connected' });
    expect(await service.accountOf(maya, 'strava')).toMatchObject({ state: 'connected' });
    expect(service.imports.of(omar)).toEqual([]);
  });

  test('[D21 D24] another account at a platform takes no place: the one that is there is disconnected first', async () => {
    const maya = service.someone();
    await service.connect(maya, 'strava', '', 'one of two');
    const { location } = await service.connect(maya, 'strava', '', 'the other');
    expect(location).toBe('/account-settings?failed=strava&why=another');
    expect(await service.accountOf(maya, 'strava')).toMatchObject({ state: 'connected', providerUserId: 'one of two' });
    expect(service.imports.of(maya)).toEqual([['begin']]);
    expect((await service.connect(maya, 'strava', '', 'one of two')).location).toBe(
      '/account-settings?connected=strava',
    );
  });
});

const twoMembers = () => ({ maya: service.someone(), mallory: service.someone() });

describe('[S31] what comes back from a platform', () => {
  test('is good once: neither the same nor another code does anything with its state again', async () => {
    const maya = service.someone();
    const { authUrl, cookie } = await service.begin(maya, 'strava');
    const { code } = service.platforms.strava.allow(authUrl, 'first');
    const came = { state: stateIn(authUrl), code };
    const answers = await Promise.all([1, 2, 3, 4].map(() => service.comeBack('strava', came, cookie)));
    expect(answers.map(({ location }) => location).toSorted()).toEqual([
      '/account-settings?connected=strava',
      expired,
      expired,
      expired,
    ]);
    const another = service.platforms.strava.allow(authUrl, 'second').code;
    expect((await service.comeBack('strava', { ...came, code: another }, cookie)).location).toBe(expired);
    expect(await service.accountOf(maya, 'strava')).toMatchObject({ providerUserId: 'first' });
    expect(service.imports.of(maya)).toEqual([['begin']]);
  });

  test('is good in the browser that began it alone, and used up by any other', async () => {
    const { maya, mallory } = twoMembers();
    const { authUrl, cookie } = await service.begin(maya, 'strava');
    const { cookie: foreign } = await service.begin(mallory, 'strava');
    const { code } = service.platforms.strava.allow(authUrl);
    const came = { state: stateIn(authUrl), code };
    for (const browser of [undefined, foreign, cookie])
      expect((await service.comeBack('strava', came, browser)).location).toBe(expired);
    expect(await service.accountOf(maya, 'strava')).toMatchObject({ state: 'not-connected' });
    expect(await service.accountOf(mallory, 'strava')).toMatchObject({ state: 'not-connected' });
  });

  test('connects whoever began it, whoever brings it back', async () => {
    const { maya, mallory } = twoMembers();
    const begun = await service.begin(maya, 'strava');
    const { code } = service.platforms.strava.allow(begun.authUrl, 'of maya');
    const state = stateIn(begun.authUrl);
    const org = Buffer.from(mallory.orgId.replaceAll('-', ''), 'hex');
    const moved = Buffer.concat([org, Buffer.from(state, 'base64url').subarray(16)]).toString('base64url');
    expect((await service.comeBack('strava', { state: moved, code }, begun.cookie)).location).toBe(expired);
    expect((await service.comeBack('strava', { state, code }, begun.cookie)).location).toContain('connected=strava');
    expect(await service.accountOf(mallory, 'strava')).toMatchObject({ state: 'not-connected' });
  });

  test('is good for the platform that it was begun for', async () => {
    const maya = service.someone();
    const { authUrl, cookie } = await service.begin(maya, 'strava');
    const { code } = service.platforms.fitbit.allow(authUrl);
    const { location } = await service.comeBack('fitbit', { state: stateIn(authUrl), code }, cookie);
    expect(location).toBe('/account-settings?failed=fitbit&why=expired');
    expect(await service.accountOf(maya, 'fitbit')).toMatchObject({ state: 'not-connected' });
  });

  test('is good for ten minutes, and for the newest attempt', async () => {
    const maya = service.someone();
    const earlier = await service.begin(maya, 'strava');
    const later = await service.begin(maya, 'strava');
    const came = ({ authUrl }: typeof earlier) => ({
      state: stateIn(authUrl),
      code: service.platforms.strava.allow(authUrl).code,
    });
    expect((await service.comeBack('strava', came(earlier), earlier.cookie)).location).toBe(expired);
    await service.rows(
      maya.orgId,
      "update connect_attempts set expires_at = expires_at - interval '10 minutes' where org_id = $1",
    );
    expect((await service.comeBack('strava', came(later), later.cookie)).location).toBe(expired);
  });

  test('shows a verifier that nobody else knows: a code of another attempt is refused', async () => {
    const { maya, mallory } = twoMembers();
    const hers = await service.begin(maya, 'strava');
    const his = await service.begin(mallory, 'strava');
    const stolen = service.platforms.strava.allow(hers.authUrl, 'of maya').code;
    const { location } = await service.comeBack('strava', { state: stateIn(his.authUrl), code: stolen }, his.cookie);
    expect(location).toBe(expired);
    expect(await service.accountOf(mallory, 'strava')).toMatchObject({ state: 'not-connected' });
  });

  test.each(['', 'x', 'a'.repeat(64), '%00', 'é'.repeat(40), 'x'.repeat(300)])(
    'is no error for a state that nobody made: %j',
    async (state) => {
      const { status, location } = await service.comeBack('strava', { state, code: 'x' });
      expect([status, location]).toEqual([303, expired]);
    },
  );

  test('is held by a cookie that no script reads and that lives as long as the attempt', async () => {
    const { setCookie } = await service.begin(service.someone(), 'strava');
    expect(setCookie).toMatch(/^__Host-connect=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/);
    const { headers } = await service.comeBack('strava', {});
    expect(headers.get('set-cookie')).toMatch(/^__Host-connect=; .*1970/);
  });

  test('[S31 S04] is nothing once the session that began it has ended, and is taken back at the platform', async () => {
    const { maya, mallory } = twoMembers();
    const sid = randomUUID();
    const { strava } = service.platforms;
    const begun = await service.begin(maya, 'strava', '', sid);
    const came = { state: stateIn(begun.authUrl), code: strava.allow(begun.authUrl).code };
    const client = await service.as(maya, sid);
    service.endSession(sid);
    const hasEnded = async () => (await client.get('/api/fitness/status')).status;
    await expect.poll(hasEnded, { interval: 25 }).toBe(401);
    expect((await service.comeBack('strava', came, begun.cookie)).location).toBe(expired);

    const other = randomUUID();
    const late = await service.begin(mallory, 'strava', '', other);
    const malloryApi = await service.as(mallory, other);
    strava.before.exchange = async () => {
      strava.before = {};
      service.endSession(other);
      await expect.poll(async () => (await malloryApi.get('/api/fitness/status')).status, { interval: 25 }).toBe(401);
    };
    const revokedBefore = strava.revoked.length;
    const code = strava.allow(late.authUrl).code;
    const { location } = await service.comeBack('strava', { state: stateIn(late.authUrl), code }, late.cookie);
    expect(location).toBe(expired);
    expect(strava.revoked).toHaveLength(revokedBefore + 1);
    for (const { orgId } of [maya, mallory])
      expect(await service.rows(orgId, 'select from provider_accounts where org_id = $1')).toEqual([]);
  });

  test('[S31 S06] is nothing for a member who was deactivated meanwhile, however often that is said', async () => {
    const identity = await startPeerService('identity', service.env);
    const maya = service.someone();
    const { strava } = service.platforms;
    strava.before.exchange = async () => {
      strava.before = {};
      const data = { userId: maya.userId, teamId: randomUUID(), deactivatedAt: new Date().toISOString() };
      const fact = { type: memberDeactivated.type, version: 1, orgId: maya.orgId, key: maya.orgId, data };
      await identity.redeliver(...(await identity.publish(fact)));
      await expect
        .poll(() => service.rows(maya.orgId, 'select from connect_attempts where org_id = $1'))
        .toHaveLength(0);
    };
    const revokedBefore = strava.revoked.length;
    expect((await service.connect(maya, 'strava')).location).toBe(expired);
    expect(await service.rows(maya.orgId, 'select from provider_accounts where org_id = $1')).toEqual([]);
    expect(strava.revoked).toHaveLength(revokedBefore + 1);
    await identity.close();
  });

  test('[D32] is nothing for a member who was erased meanwhile, and is taken back at the platform', async () => {
    const identity = await startPeerService('identity', service.env);
    const maya = service.someone();
    const { strava } = service.platforms;
    strava.before.exchange = async () => {
      strava.before = {};
      const data = { userId: maya.userId, teamId: randomUUID(), wasActive: true, erasedAt: new Date().toISOString() };
      await identity.publish({ type: memberErased.type, version: 1, orgId: maya.orgId, key: maya.orgId, data });
      await expect
        .poll(() => service.rows(maya.orgId, 'select from connect_attempts where org_id = $1'))
        .toHaveLength(0);
    };
    const revokedBefore = strava.revoked.length;
    expect((await service.connect(maya, 'strava')).location).toBe(expired);
    expect(await service.rows(maya.orgId, 'select from provider_accounts where org_id = $1')).toEqual([]);
    expect(strava.revoked).toHaveLength(revokedBefore + 1);
    await identity.close();
  });
});
