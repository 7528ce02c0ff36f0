import { randomBytes, randomUUID } from '@caravan/contracts/testing/seeded';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { memberErased } from '@caravan/contracts/events/identity.events';
import { type PeerService, startPeerService } from '@caravan/messaging/testing/peer-service';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ProviderFailure } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { type IntegrationsUnderTest, startIntegrations, testTokenKey } from '../testing/integrations-under-test.ts';
import { RefreshTokens } from './refresh-tokens.job.ts';
import { TokenKeys } from './token-keys.service.ts';

let service: IntegrationsUnderTest;
let identity: PeerService;
beforeAll(async () => {
  service = await startIntegrations();
  identity = await startPeerService('identity', service.env);
});
afterAll(async () => {
  await identity.close();
  await service.close();
});
afterEach(() => {
  service.platforms.strava.before = {};
});

const away = () => {
  service.platforms.strava.before.revoke = () => Promise.reject(new ProviderFailure('unreachable', 'as asked'));
};
const back = () => {
  service.platforms.strava.before = {};
};
const pending = ({ orgId }: TestPerson) =>
  service.rows<{ tries: number }>(orgId, 'select tries from pending_revocations where org_id = $1');
const revokedSince = (count: number) => service.platforms.strava.revoked.length - count;

async function disconnectedWhileAway() {
  const maya = service.someone();
  await service.connect(maya, 'strava');
  away();
  expect((await (await service.as(maya)).delete('/api/fitness/strava')).status).toBe(200);
  const count = service.platforms.strava.revoked.length;
  return { maya, count };
}

async function emptyRedis(): Promise<void> {
  const redis = service.app.get<Redis>(Redis);
  const prefix = service.env.REDIS_PREFIX;
  for (const key of await redis.keys(`${prefix}*`)) await redis.del(key.slice(prefix.length));
}

describe('a permission that its member has ended while the platform was away', () => {
  test('[D24 F05] is revoked although Redis lost everything, and once', async () => {
    const { maya, count } = await disconnectedWhileAway();
    expect(await pending(maya)).toEqual([{ tries: 1 }]);
    await emptyRedis();
    back();
    await Promise.all([service.retryRevocations(), service.retryRevocations()]);
    await service.retryRevocations();
    expect(revokedSince(count)).toBe(1);
    expect(await pending(maya)).toEqual([]);
  });

  test('[D24] is tried again later and later, for thirty days', async () => {
    const { maya } = await disconnectedWhileAway();
    await service.retryRevocations();
    const [waiting] = await service.rows<{ seconds: number }>(
      maya.orgId,
      'select extract(epoch from due_at - now())::float8 as seconds from pending_revocations where org_id = $1',
    );
    expect(waiting?.seconds).toBeGreaterThan(50);
    await service.rows(
      maya.orgId,
      "update pending_revocations set requested_at = now() - interval '31 days' where org_id = $1",
    );
    await service.retryRevocations();
    expect(await pending(maya)).toEqual([]);
  });

  test('[D24] is left alone where the account was connected anew', async () => {
    const { maya, count } = await disconnectedWhileAway();
    const [row] = await service.rows<{ id: string }>(
      maya.orgId,
      'select provider_user_id as id from pending_revocations where org_id = $1',
    );
    await service.connect(maya, 'strava', '', row?.id);
    back();
    await service.retryRevocations();
    expect(revokedSince(count)).toBe(0);
    expect(await pending(maya)).toEqual([]);
  });

  test('[D32 F08] is revoked for a member who was erased, however often that is said', async () => {
    const maya = service.someone();
    await service.connect(maya, 'strava');
    away();
    const data = { userId: maya.userId, teamId: randomUUID(), wasActive: true, erasedAt: new Date().toISOString() };
    const erased = { type: memberErased.type, version: 1, orgId: maya.orgId, key: maya.orgId, data };
    const told = await identity.publish(erased);
    await identity.redeliver(...told);
    await expect.poll(() => service.rows(maya.orgId, 'select from provider_accounts where org_id = $1')).toEqual([]);
    await expect.poll(() => pending(maya)).toEqual([{ tries: 1 }]);
    const count = service.platforms.strava.revoked.length;
    back();
    await service.retryRevocations();
    expect(revokedSince(count)).toBe(1);
    expect(await pending(maya)).toEqual([]);
  });

  test('[S32] has its tokens sealed anew with a new key', async () => {
    const { maya, count } = await disconnectedWhileAway();
    const rows = service.app.get<Rows>(Rows);
    const now = Buffer.from(testTokenKey, 'base64');
    const next = randomBytes(32);
    const keysOf = (key: Buffer<ArrayBuffer>, ...before: Buffer<ArrayBuffer>[]) =>
      new TokenKeys({ PROVIDER_TOKEN_KEY: key, PROVIDER_TOKEN_KEYS_BEFORE: before });
    const sweeps = service.app.get<Sweeps>(Sweeps);
    await new RefreshTokens(rows, keysOf(next, now), sweeps).sealAnew();
    await expect(new RefreshTokens(rows, keysOf(now), sweeps).onModuleInit()).rejects.toThrow('PROVIDER_TOKEN_KEY');
    await new RefreshTokens(rows, keysOf(now, next), sweeps).sealAnew();
    back();
    await service.retryRevocations();
    expect(revokedSince(count)).toBe(1);
    expect(await pending(maya)).toEqual([]);
  });
});

test('[S18] nobody sees what is to be revoked for members of another organisation', async () => {
  await disconnectedWhileAway();
  const { unguarded, leaking, proven } = await tenancyOf(service.pool, service.someone().orgId);
  expect([unguarded, leaking]).toEqual([[], []]);
  expect(proven).toContain('pending_revocations');
});
