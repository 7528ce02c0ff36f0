import { EventStore } from '@caravan/event-store/core/event-store';
import { createPool } from '@caravan/event-store/postgres/connections';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { hearLog } from '@caravan/service-kit/testing/heard-log';
import { Live } from '@caravan/service-kit/live/live';
import { Log } from '@caravan/service-kit/telemetry/log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AccountName, AccountTokens } from '../ports.ts';
import { ProviderFailure, type Providers } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { type IntegrationsUnderTest, startIntegrations } from '../testing/integrations-under-test.ts';
import { AccountEndings } from './account-endings.service.ts';
import { RenewedTokens } from './renewed-tokens.service.ts';
import { TokenKeys } from './token-keys.service.ts';

let service: IntegrationsUnderTest;
let tokens: AccountTokens;
let listener: Listener;
const pools: ReturnType<typeof createPool>[] = [];
beforeAll(async () => {
  service = await startIntegrations();
  tokens = service.app.get<AccountTokens>(AccountTokens);
  listener = await listenTo('integrations', service.env);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await listener.close();
  await service.close();
});
beforeEach(() => {
  service.platforms.strava.before = {};
  service.platforms.strava.refreshes = 0;
});

const connectAccount = async () => {
  const person = service.someone();
  await service.connect(person, 'strava');
  return { person, account: { ...person, provider: 'strava' } as const };
};
const runOut = ({ orgId }: TestPerson) =>
  service.rows(orgId, "update provider_accounts set expires_at = now() + interval '1 minute' where org_id = $1");
const stateOf = async (person: TestPerson) => (await service.accountOf(person, 'strava'))?.state;

/** As another process has it: connections, memory and all. */
function anotherProcess(change: (rows: Rows) => Rows = (rows) => rows): AccountTokens {
  const pool = createPool(service.env.DATABASE_URL, { max: 4 });
  pools.push(pool);
  const rows = change(new Rows(pool));
  const endings = new AccountEndings(
    service.app.get<EventStore>(EventStore),
    service.app.get<Log>(Log),
    service.app.get<Live>(Live),
  );
  const providers: Pick<Providers, 'of'> = { of: (name) => service.platforms[name] };
  return new RenewedTokens(rows, new TokenKeys(service.env), providers, endings);
}

describe('[F12] tokens of an account', () => {
  test('are given as they are while they are good', async () => {
    const { account } = await connectAccount();
    const one = await tokens.accessTokenOf(account);
    const other = await anotherProcess().accessTokenOf(account);
    expect([one, service.platforms.strava.refreshes]).toEqual([other, 0]);
  });

  test('are renewed once by twenty who want them at once in five processes, and no account is lost', async () => {
    const { person, account } = await connectAccount();
    await runOut(person);
    const processes = Array.from({ length: 5 }, () => anotherProcess());
    const { promise: everybodyWaits, resolve: go } = Promise.withResolvers<void>();
    service.platforms.strava.before.refresh = () => everybodyWaits;
    const asked = processes.flatMap((one) => Array.from({ length: 4 }, () => one.accessTokenOf(account)));
    await expect.poll(() => service.platforms.strava.refreshes).toBe(1);
    // Each process has looked.
    await expect.poll(() => pools.slice(-5).every(({ totalCount }) => totalCount > 0)).toBe(true);
    go();
    const given = await Promise.all(asked);
    expect(new Set(given).size).toBe(1);
    expect(service.platforms.strava.refreshes).toBe(1);
    expect(await stateOf(person)).toBe('connected');
    await runOut(person);
    expect(await anotherProcess().accessTokenOf(account)).not.toBe(given[0]);
    expect([service.platforms.strava.refreshes, await stateOf(person)]).toEqual([2, 'connected']);
  });

  test('are not renewed by a process that has looked before another renewed them, and acts after', async () => {
    const { person, account } = await connectAccount();
    await runOut(person);
    const { promise: renewed, resolve: go } = Promise.withResolvers<void>();
    const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>();
    const late = anotherProcess(
      (rows) =>
        ({
          of: (orgId: string) => {
            const { providerAccount } = rows.of(orgId);
            const updateMany = async (change: Parameters<typeof providerAccount.updateMany>[0]) => {
              hasLooked();
              await renewed;
              return providerAccount.updateMany(change);
            };
            return { providerAccount: { findFirst: providerAccount.findFirst, updateMany } };
          },
        }) as unknown as Rows,
    );
    const lateToken = late.accessTokenOf(account);
    await looked;
    const token = await tokens.accessTokenOf(account);
    go();
    expect([await lateToken, service.platforms.strava.refreshes, await stateOf(person)]).toEqual([
      token,
      1,
      'connected',
    ]);
  });

  test('survive that the platform does not answer: the next one tries again', async () => {
    const { person, account } = await connectAccount();
    await runOut(person);
    service.platforms.strava.before.refresh = () => Promise.reject(new ProviderFailure('unreachable', 'as asked'));
    await expect(tokens.accessTokenOf(account)).rejects.toMatchObject({ why: 'unreachable' });
    expect(await stateOf(person)).toBe('connected');
    service.platforms.strava.before = {};
    expect(await anotherProcess().accessTokenOf(account)).toMatch(/^canary-access/);
  });

  test('are renewed by another process once the one that renews has died', async () => {
    const { person, account } = await connectAccount();
    await runOut(person);
    const lease = (ends: string) =>
      service.rows(
        person.orgId,
        `update provider_accounts set refresh_lease = gen_random_uuid(), refresh_lease_ends_at = now() + $2::interval
         where org_id = $1`,
        ends,
      );
    await lease('1 hour');
    const waiting = tokens.accessTokenOf(account);
    await expect(Promise.race([waiting, Promise.resolve('waits')])).resolves.toBe('waits');
    await lease('-1 second');
    expect(await waiting).toMatch(/^canary-access/);
    expect(service.platforms.strava.refreshes).toBe(1);
  });
});

describe('[F11] an account whose tokens the platform takes no longer', () => {
  test('[D34] is to be connected anew, without tokens, and its owner stays signed in', async () => {
    const { person, account } = await connectAccount();
    await runOut(person);
    const heard = hearLog(service.app.get<Log>(Log));
    service.platforms.strava.before.refresh = () => Promise.reject(new ProviderFailure('reconnect', 'as asked'));
    await expect(tokens.accessTokenOf(account)).rejects.toMatchObject({ why: 'reconnect' });
    const kept = await service.rows(
      person.orgId,
      'select access_token_sealed, refresh_token_sealed, token_key_id from provider_accounts where org_id = $1',
    );
    expect(kept).toEqual([{ accessTokenSealed: null, refreshTokenSealed: null, tokenKeyId: null }]);
    expect(await stateOf(person)).toBe('reconnect');
    expect((await (await service.as(person)).get('/api/fitness/status')).body).toMatchObject({
      strava: { connected: false, athleteId: null },
    });
    expect(heard.lines().map(({ event }) => event)).toContain('platform-reconnect');
    await expect(tokens.accessTokenOf(account)).rejects.toMatchObject({ why: 'reconnect' });
    expect(service.platforms.strava.refreshes).toBe(1);
    // Its owner is told, whoever found out, and once.
    await expect
      .poll(() => listener.heard.filter(({ key }) => key === person.userId).map(({ type, data }) => ({ type, data })))
      .toEqual([
        {
          type: 'SyncFailed',
          data: { userId: person.userId, source: 'strava', why: 'reconnect', failedAt: expect.any(String) as string },
        },
      ]);
  });

  test('a token that is refused is renewed first; refused again it is over', async () => {
    const { person, account } = await connectAccount();
    const first = await tokens.accessTokenOf(account);
    await tokens.handleRefusal(account, first);
    const second = await tokens.accessTokenOf(account);
    expect([second === first, await stateOf(person)]).toEqual([false, 'connected']);
    // Late news of a token that is no more.
    await tokens.handleRefusal(account, first);
    expect(await tokens.accessTokenOf(account)).toBe(second);
    await tokens.handleRefusal(account, second);
    expect(await stateOf(person)).toBe('reconnect');
  });

  test('is connected anew by its owner as it was', async () => {
    const { person, account } = await connectAccount();
    await tokens.handleRefusal(account, await tokens.accessTokenOf(account));
    await tokens.handleRefusal(account, await tokens.accessTokenOf(account));
    const before = await service.accountOf(person, 'strava');
    expect(await stateOf(person)).toBe('reconnect');
    await service.connect(person, 'strava', '', before?.providerUserId ?? '');
    expect(await tokens.accessTokenOf(account)).toMatch(/^canary-access/);
    await tokens.handleRefusal(account, await tokens.accessTokenOf(account));
    expect(await stateOf(person)).toBe('connected');
  });

  test('where nothing is connected there is no token', async () => {
    const account: AccountName = { ...service.someone(), provider: 'fitbit' };
    await expect(tokens.accessTokenOf(account)).rejects.toMatchObject({ why: 'reconnect' });
    await tokens.handleRefusal(account, 'x');
  });
});
