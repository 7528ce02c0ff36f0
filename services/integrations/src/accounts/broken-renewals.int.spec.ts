import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import {
  type FitnessAccount,
  type FitnessProvider,
  type FitnessStatus,
  importedWorkoutsSchema,
} from '@caravan/contracts/http/fitness';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { Log } from '@caravan/service-kit/telemetry/log';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { hearLog } from '@caravan/service-kit/testing/heard-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AccountTokens } from '../ports.ts';
import { Providers } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { startWithSimulators } from '../testing/integrations-under-test.ts';
import { connectThere } from '../testing/platforms.ts';
import { hoursAgo } from '../testing/recording-platform.ts';
import { AccountEndings } from './account-endings.service.ts';
import { RenewedTokens } from './renewed-tokens.service.ts';
import { TokenKeys } from './token-keys.service.ts';

let service: Awaited<ReturnType<typeof startWithSimulators>>;
let maya: TestPerson;
let api: ApiClient;
/** How far the platforms' clocks are ahead: Strava hands out the same tokens while they are good for an hour. */
let aheadMilliseconds = 0;

beforeAll(async () => {
  service = await startWithSimulators({ now: () => Date.now() + aheadMilliseconds });
});
afterAll(() => service.close());
beforeEach(async () => {
  maya = { userId: randomUUID(), orgId: randomUUID() };
  api = await service.as(maya);
  aheadMilliseconds = 0;
});

const tokens = () => service.app.get<AccountTokens>(AccountTokens);
const set = (what: string) =>
  withTenant(service.pool, maya.orgId, (tx) =>
    tx.query(`update provider_accounts set ${what} where org_id = $1`, [maya.orgId]),
  );
const stateOf = async (provider: FitnessProvider) =>
  (await api.get<FitnessAccount[]>('/api/fitness/accounts')).body.find((one) => one.provider === provider)?.state;
/** Connected, and about to run out, here and there. */
async function runOut(provider: FitnessProvider, person: string) {
  await connectThere({ ...service, api }, provider, person);
  // The first look at the platform would renew them itself.
  await expect.poll(async () => (await api.get<FitnessStatus>('/api/fitness/status')).body.lastSyncDate).not.toBeNull();
  aheadMilliseconds = 5.9 * 3_600_000;
  await set(`expires_at = now() + interval '1 minute'`);
  return { ...maya, provider };
}

/** Another process, to which something happens in the moment in which it has what it is to store. */
function anotherProcess(whenStoring: () => Promise<unknown>): AccountTokens & { onModuleDestroy(): Promise<void> } {
  const real = service.app.get<Rows>(Rows);
  const rows = {
    of: (orgId: string) => {
      const { providerAccount } = real.of(orgId);
      const updateMany = async (change: Parameters<typeof providerAccount.updateMany>[0]) => {
        if ('refreshedAt' in change.data) await whenStoring();
        return providerAccount.updateMany(change);
      };
      return { providerAccount: { findFirst: providerAccount.findFirst, updateMany } };
    },
  } as unknown as Rows;
  const keys = service.app.get(TokenKeys);
  const providers = service.app.get(Providers);
  return new RenewedTokens(rows, keys, providers, service.app.get(AccountEndings));
}

/** A process that dies between the platform's answer and storing it; then its lease ends. */
async function dieBeforeStoring(account: Parameters<AccountTokens['accessTokenOf']>[0]) {
  const { promise: isDead, resolve: die } = Promise.withResolvers<void>();
  void anotherProcess(() => {
    die();
    return new Promise(() => undefined);
  }).accessTokenOf(account);
  await isDead;
  await set(`refresh_lease_ends_at = now() - interval '1 second'`);
}

describe('[F12] of whoever dies between the answer of a platform and storing it', () => {
  test('nothing is lost at Google Health, whose refresh tokens stay: the next one renews', async () => {
    const account = await runOut('fitbit', '80101');
    await dieBeforeStoring(account);
    expect(await tokens().accessTokenOf(account)).toEqual(expect.any(String));
    expect([await stateOf('fitbit'), (await api.post('/api/fitness/sync', {})).status]).toEqual(['connected', 200]);
  });

  test('nothing is lost at Strava while the tokens are good for an hour more: it gives the same ones', async () => {
    const account = await runOut('strava', '90101');
    aheadMilliseconds = 0;
    await dieBeforeStoring(account);
    expect(await tokens().accessTokenOf(account)).toEqual(expect.any(String));
    expect(await stateOf('strava')).toBe('connected');
  });

  test('the account at Strava is tried once more, said to be lost with the reason, and is as it was when it is connected again', async () => {
    const account = await runOut('strava', '90102');
    const heard = hearLog(service.app.get<Log>(Log));
    await dieBeforeStoring(account);
    const startedAt = hoursAgo(3).toISOString();
    service.platforms.strava.addWorkout({ person: '90102', type: 'Run', movingSeconds: 2_470, startedAt });
    await expect(tokens().accessTokenOf(account)).rejects.toMatchObject({ why: 'reconnect' });
    const told = heard.lines().filter(({ event }) => event === 'platform-reconnect');
    expect(told).toMatchObject([{ userId: maya.userId, wasBrokenOff: true }]);
    expect(await stateOf('strava')).toBe('reconnect');
    await connectThere({ ...service, api }, 'strava', '90102');
    const workouts = async () => importedWorkoutsSchema.parse((await api.get('/api/fitness/workouts')).body);
    await eventually(async () =>
      expect(await workouts()).toContainEqual(
        expect.objectContaining({ startedAt, durationMinutes: 41, state: 'counted' }),
      ),
    );
  });
});

describe('[F12] tokens that a platform has answered', () => {
  test('are stored when the database is back, while nobody else asks for others', async () => {
    const account = await runOut('strava', '90103');
    let failures = 2;
    const away = () => ((failures -= 1) < 0 ? Promise.resolve() : Promise.reject(new Error('connection refused')));
    const token = await anotherProcess(away).accessTokenOf(account);
    expect([await tokens().accessTokenOf(account), failures]).toEqual([token, -1]);
  });

  test('are stored before a process ends in order', async () => {
    const account = await runOut('strava', '90104');
    const { promise: isStoring, resolve: storing } = Promise.withResolvers<void>();
    const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
    const ending = anotherProcess(() => {
      storing();
      return isStored;
    });
    const token = ending.accessTokenOf(account);
    await isStoring;
    let hasEnded = false;
    const end = ending.onModuleDestroy().then(() => (hasEnded = true));
    await stateOf('strava');
    expect(hasEnded).toBe(false);
    store();
    await end;
    expect(await tokens().accessTokenOf(account)).toBe(await token);
  });
});
