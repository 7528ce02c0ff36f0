import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { platformDisconnected } from '@caravan/contracts/events/integrations.events';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AccountTokens } from '../ports.ts';
import { ProviderFailure } from '../providers/index.ts';
import { type IntegrationsUnderTest, startIntegrations } from '../testing/integrations-under-test.ts';

let service: IntegrationsUnderTest;
let listener: Listener;
beforeAll(async () => {
  service = await startIntegrations();
  listener = await listenTo('integrations', service.env);
});
afterAll(async () => {
  await listener.close();
  await service.close();
});
beforeEach(() => {
  for (const platform of Object.values(service.platforms)) platform.before = {};
});

const disconnect = async (person: TestPerson, path: string) =>
  (await service.as(person)).delete<object>(`/api/fitness/${path}`);
const toldOf = ({ userId }: TestPerson) =>
  listener.heard
    .filter(({ key, type }) => key === userId && type === platformDisconnected.type)
    .map(({ type, data }) => ({ type, ...platformDisconnected.data.parse(data) }));
const stateOf = async (person: TestPerson, provider: 'strava' | 'fitbit' = 'strava') =>
  (await service.accountOf(person, provider))?.state;

describe('[D24 S23] disconnecting', () => {
  test('ends the permission at the platform, and deletes what was imported where its owner wishes', async () => {
    const maya = service.someone();
    await service.connect(maya, 'fitbit');
    const { revoked } = service.platforms.fitbit;
    const before = revoked.length;
    const { status, body } = await disconnect(maya, 'fitbit?deleteImported=true');
    expect([status, body]).toEqual([200, { disconnected: true, removedActivities: 3 }]);
    expect([revoked.length - before, await stateOf(maya, 'fitbit')]).toEqual([1, 'not-connected']);
    await expect
      .poll(() => toldOf(maya))
      .toEqual([
        {
          type: 'PlatformDisconnected',
          userId: maya.userId,
          source: 'fitbit',
          why: 'asked',
          areImportsRemoved: true,
          disconnectedAt: expect.any(String) as string,
        },
      ]);
  });

  test('keeps what was imported where its owner says nothing', async () => {
    const maya = service.someone();
    await service.connect(maya, 'fitbit');
    expect((await disconnect(maya, 'fitbit')).body).toEqual({ disconnected: true, removedActivities: 0 });
    expect(service.imports.of(maya)).toEqual([['begin']]);
    await expect.poll(() => toldOf(maya)).toMatchObject([{ areImportsRemoved: false }]);
  });

  test('[D21] of Strava deletes what was imported, with whatever it had earned, in any case', async () => {
    const maya = service.someone();
    await service.connect(maya, 'strava');
    expect((await disconnect(maya, 'strava')).body).toEqual({ disconnected: true, removedActivities: 3 });
    expect(service.imports.of(maya)).toEqual([['begin'], ['retractAll']]);
  });

  test('is refused where nothing is connected, once it is done, and to anybody else', async () => {
    const maya = service.someone();
    expect((await disconnect(maya, 'strava')).status).toBe(409);
    await service.connect(maya, 'strava');
    expect((await disconnect({ ...maya, userId: randomUUID() }, 'strava')).status).toBe(409);
    expect((await disconnect({ ...maya, orgId: randomUUID() }, 'strava')).status).toBe(409);
    expect((await disconnect(maya, 'strava')).status).toBe(200);
    expect((await disconnect(maya, 'strava')).status).toBe(409);
    expect((await disconnect(maya, 'garmin')).status).toBe(404);
  });

  test('[D24] waits for no platform that does not answer: it is told later, unless it was connected anew', async () => {
    const maya = service.someone();
    const omar = service.someone();
    const { strava } = service.platforms;
    const tries: string[] = [];
    strava.before.revoke = () => {
      tries.push('');
      return Promise.reject(new ProviderFailure('unreachable', 'as asked'));
    };
    for (const person of [maya, omar]) {
      await service.connect(person, 'strava', '', person.userId);
      expect((await disconnect(person, 'strava')).status).toBe(200);
      expect(await stateOf(person)).toBe('not-connected');
    }
    const count = strava.revoked.length;
    await service.connect(omar, 'strava', '', omar.userId);
    await service.retryRevocations();
    expect(tries.length).toBeGreaterThanOrEqual(3);
    strava.before = {};
    await service.retryRevocations();
    await expect.poll(() => strava.revoked.length - count).toBe(1);
    expect(await service.app.get<AccountTokens>(AccountTokens).accessTokenOf({ ...omar, provider: 'strava' })).toMatch(
      /^canary-access/,
    );
    expect(await stateOf(omar)).toBe('connected');
  });

  test('can be repeated where it broke off: the account goes last', async () => {
    const maya = service.someone();
    await service.connect(maya, 'strava');
    const { imports } = service;
    imports.before = () => Promise.reject(new Error('died here'));
    expect((await disconnect(maya, 'strava')).status).toBe(500);
    imports.before = undefined;
    expect(await stateOf(maya)).toBe('reconnect');
    expect((await disconnect(maya, 'strava')).body).toEqual({ disconnected: true, removedActivities: 3 });
    await expect.poll(() => toldOf(maya)).toHaveLength(1);
  });
});

test('[D21 D35] an account that was ended at the platform goes, and its owner is told once however often that is said, and on open pages at once', async () => {
  const maya = service.someone();
  await service.connect(maya, 'strava');
  const live = await listenLive(service.env, maya.orgId);
  const tokens = service.app.get<AccountTokens>(AccountTokens);
  const account = { ...maya, provider: 'strava' } as const;
  await Promise.all([tokens.handleRevocation(account), tokens.handleRevocation(account)]);
  await tokens.handleRevocation(account);
  expect(await stateOf(maya)).toBe('not-connected');
  await expect.poll(() => [...live.kinds]).toEqual([`devices of ${maya.userId}`]);
  await live.close();
  await service.connect(maya, 'fitbit');
  await disconnect(maya, 'fitbit');
  await expect
    .poll(() => toldOf(maya).map(({ source, why }) => [source, why]))
    .toEqual([
      ['strava', 'revoked'],
      ['fitbit', 'asked'],
    ]);
});
