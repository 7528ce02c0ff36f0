import { randomBytes } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { createPatientPool, createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { listenTo } from '@caravan/messaging/testing/listener';
import { hearLog } from '@caravan/service-kit/testing/heard-log';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountName, AccountTokens } from '../ports.ts';
import { ProviderFailure } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { type IntegrationsUnderTest, startIntegrations, testTokenKey } from '../testing/integrations-under-test.ts';
import { RefreshTokens } from './refresh-tokens.job.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import { TokenKeys } from './token-keys.service.ts';

let service: IntegrationsUnderTest;
beforeAll(async () => {
  service = await startIntegrations();
});
afterAll(() => service.close());

const keysOf = (now: Buffer<ArrayBuffer>, ...before: Buffer<ArrayBuffer>[]) =>
  new TokenKeys({ PROVIDER_TOKEN_KEY: now, PROVIDER_TOKEN_KEYS_BEFORE: before });
const oldKey = Buffer.from(testTokenKey, 'base64');
const newKey = randomBytes(32);

describe('[S32] tokens of platforms', () => {
  const account: AccountName = { orgId: 'o', userId: 'u', provider: 'strava' };
  const pair = { accessToken: 'canary-access', refreshToken: 'canary-refresh' };

  test('open with the key that sealed them, as what they are and whose they are, unchanged', () => {
    const keys = keysOf(oldKey);
    const sealed = sealTokens(keys, account, pair);
    expect(openTokens(keys, account, sealed)).toEqual(pair);
    const altered = (sealed.refreshTokenSealed[20] ?? 0) ^ 1;
    const failing = [
      () => openTokens(keysOf(newKey), account, sealed),
      () => openTokens(keys, { ...account, userId: 'another' }, sealed),
      () => openTokens(keys, { ...account, provider: 'fitbit' }, sealed),
      () => openTokens(keys, account, { ...sealed, accessTokenSealed: sealed.refreshTokenSealed }),
      () => openTokens(keys, account, { ...sealed, refreshTokenSealed: sealed.refreshTokenSealed.with(20, altered) }),
      () => openTokens(keys, account, { ...sealed, refreshTokenSealed: sealed.refreshTokenSealed.subarray(0, -8) }),
    ];
    for (const open of failing) expect(open).toThrow();
    expect(sealTokens(keys, account, pair).accessTokenSealed).not.toEqual(sealed.accessTokenSealed);
  });

  test('open with a key of before, and are sealed by the one of today', () => {
    const sealed = sealTokens(keysOf(oldKey), account, pair);
    const rotated = keysOf(newKey, oldKey);
    expect(openTokens(rotated, account, sealed)).toEqual(pair);
    expect(sealTokens(rotated, account, pair).tokenKeyId).not.toBe(sealed.tokenKeyId);
  });

  test('are sealed anew after the key was changed, and then need the earlier one no more', async () => {
    const person = service.someone();
    await service.connect(person, 'strava');
    const rows = service.app.get<Rows>(Rows);
    const name = { ...person, provider: 'strava' } as const;
    const access = await service.app.get<AccountTokens>(AccountTokens).accessTokenOf(name);
    const sweeps = service.app.get<Sweeps>(Sweeps);
    await new RefreshTokens(rows, keysOf(newKey, oldKey), sweeps).sealAnew();
    const row = await rows.of(person.orgId).providerAccount.findFirstOrThrow({ where: person });
    expect(openTokens(keysOf(newKey), name, row)).toMatchObject({ accessToken: access });
    // Nobody starts who could not open what is there.
    await expect(new RefreshTokens(rows, keysOf(oldKey), sweeps).onModuleInit()).rejects.toThrow('PROVIDER_TOKEN_KEY');
    // The service's own job, which has the earlier key alone, may have met the row meanwhile: it is left alone for a second.
    await eventually(async () => {
      await new RefreshTokens(rows, keysOf(oldKey, newKey), sweeps).sealAnew();
      await new RefreshTokens(rows, keysOf(oldKey), sweeps).onModuleInit();
    });
  });

  test('a process whose database is away starts', async () => {
    const nowhere = createPool('postgres://nobody:x@127.0.0.1:1/nothing');
    await new RefreshTokens(new Rows(nowhere), keysOf(newKey), service.app.get<Sweeps>(Sweeps)).onModuleInit();
    await nowhere.end();
  });

  test('stand nowhere in clear: in no row, answer, log, fact or job, whatever happens to them', async () => {
    const heard = hearLog(service.app.get<Log>(Log));
    const listener = await listenTo('integrations', service.env);
    const answers: unknown[] = [];
    const person = service.someone();
    const client = await service.as(person);
    const tokens = service.app.get<AccountTokens>(AccountTokens);
    const { strava } = service.platforms;
    const failingCall = () => Promise.reject(new Error('socket hang up'));

    const begun = await service.begin(person, 'strava');
    answers.push(begun.setCookie);
    answers.push([...(await service.connect(person, 'strava')).headers]);
    const seen = [await tokens.accessTokenOf({ ...person, provider: 'strava' })];
    await tokens.handleRefusal({ ...person, provider: 'strava' }, seen[0] ?? '');
    strava.before.refresh = failingCall;
    await expect(tokens.accessTokenOf({ ...person, provider: 'strava' })).rejects.toThrow();
    strava.before = {};
    seen.push(await tokens.accessTokenOf({ ...person, provider: 'strava' }));
    strava.before.revoke = () => Promise.reject(new ProviderFailure('unreachable', 'as asked'));
    for (const path of ['/api/fitness/accounts', '/api/fitness/status', '/internal/my-data'])
      answers.push((await client.get(path)).body);
    const rows = await everyRow();
    answers.push((await client.delete('/api/fitness/strava')).body);
    const jobs = await everyKey();
    strava.before = {};
    await eventually(() => expect(listener.heard.map(({ key }) => key)).toContain(person.userId));

    expect(seen.filter((token) => token.startsWith('canary-'))).toHaveLength(2);
    expect(rows).toContain(person.userId);
    // Nothing was passed over: each table is there, those of its owner alone too.
    for (const table of ['public.provider_accounts', 'public.connect_attempts', 'es.events', 'es.epochs', 'msg.parked'])
      expect(rows).toContain(table);
    const everywhere = [
      rows,
      await everyRow(),
      jobs,
      heard.text(),
      JSON.stringify(answers),
      JSON.stringify(listener.heard),
    ];
    for (const place of everywhere) {
      expect(place).not.toContain('canary-');
      expect(place).not.toContain(Buffer.from('canary-').toString('hex'));
      expect(place).not.toContain(Buffer.from('canary-').toString('base64').slice(0, 9));
    }
    await listener.close();
  });
});

/** All tables of the service, the log and the outbox included, as text: by their owner, to whom none is closed. */
async function everyRow(): Promise<string> {
  const owner = createPatientPool(service.ownerUrl);
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const found = await withSystem(owner, (tx) => tx.query<{ row: string }>(`select t::text as row from ${name} t`));
    texts.push(`${name} ${found.rows.length}`, ...found.rows.map(({ row }) => row));
  }
  await owner.end();
  return texts.join('\n');
}

/** Everything in Redis under this suite's prefix. */
async function everyKey(): Promise<string> {
  const redis = service.app.get<Redis>(Redis);
  const prefix = service.env.REDIS_PREFIX;
  return eventually(async () => {
    const texts: string[] = [];
    for (const full of await redis.keys(`${prefix}*`)) {
      const key = full.slice(prefix.length);
      texts.push(JSON.stringify([key, await valueOf(redis, key)]));
    }
    return texts.join('\n');
  });
}

/** A key of a kind that nobody reads here is a fault of this proof. */
async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const kind = await redis.type(key);
  switch (kind) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'none':
      return null;
    default:
      throw new Error(`${key} is a ${kind}`);
  }
}
