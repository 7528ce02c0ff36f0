import { randomBytes, randomUUID } from '@caravan/contracts/testing/seeded';
import { RemoteKeys } from '@caravan/auth/jwks';
import { TokenVerifier } from '@caravan/auth/token-verifier';
import { ownSweeps } from '@caravan/service-kit/testing/background';
import { Pool } from '@caravan/service-kit/storage/pool';
import { decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { KeyRing, openSealedKey } from './key-ring.service.ts';
import type { KeySchedule } from './key-ring.service.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());
afterEach(() => vi.useRealTimers());

const hasty: KeySchedule = { activeSeconds: 0.2, publishedAheadSeconds: 0.2, verifyOnlySeconds: 5, checkSeconds: 0.05 };
const ringWith = (schedule: KeySchedule, env = identity.env) =>
  new KeyRing(identity.app.get<Pool>(Pool), env, schedule, ownSweeps());
const holder = {
  userId: randomUUID(),
  orgId: randomUUID(),
  sessionId: randomUUID(),
  role: 'member' as const,
};
const states = async () => {
  const { rows } = await identity.pool.query<{ state: string }>('select state from signing_keys order by state');
  return rows.map(({ state }) => state);
};

describe('signing keys', () => {
  test('[S03] are published with their public halves only', async () => {
    const { body, headers } = await identity.visitor().get('/.well-known/jwks.json');
    const keys = body['keys'] as Record<string, string>[];
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
    }
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  test('[S03] are stored sealed: no private half opens with another key or as another key', async () => {
    const { rows } = await identity.pool.query<{ kid: string; privateKeyEncrypted: Buffer }>(
      'select * from signing_keys',
    );
    for (const { kid, privateKeyEncrypted: sealed } of rows) {
      expect(openSealedKey(kid, sealed, identity.env.KEY_ENCRYPTION_KEY).type).toBe('private');
      expect(() => openSealedKey(kid, sealed, randomBytes(32))).toThrow();
      expect(() => openSealedKey('another', sealed, identity.env.KEY_ENCRYPTION_KEY)).toThrow();
      const tampered = Buffer.from(sealed);
      tampered[20] = (tampered[20] ?? 0) ^ 1;
      expect(() => openSealedKey(kid, tampered, identity.env.KEY_ENCRYPTION_KEY)).toThrow();
      expect(sealed.includes(Buffer.from('PRIVATE'))).toBe(false);
    }
  });

  test('[F19] of several processes that look at once, one rotates', async () => {
    const daily: KeySchedule = {
      activeSeconds: 3_000,
      publishedAheadSeconds: 3_000,
      verifyOnlySeconds: 60,
      checkSeconds: 60,
    };
    await identity.pool.query(
      "update signing_keys set created_at = now() - interval '1 hour', activated_at = activated_at - interval '1 hour'",
    );
    await Promise.all(Array.from({ length: 8 }, () => ringWith(daily).check()));
    expect(await states()).toEqual(['active', 'standby', 'verify-only']);
  });

  test('[F19] rotate under load without a single refusal, in this process and in others', async () => {
    const issuer = ringWith(hasty);
    const other = ringWith(hasty);
    await issuer.onModuleInit();
    await other.onModuleInit();
    const rules = { issuer: identity.env.JWT_ISSUER, audience: identity.env.JWT_AUDIENCE };
    const local = new TokenVerifier(rules, other);
    const remote = new TokenVerifier(
      rules,
      new RemoteKeys(`${identity.url}/.well-known/jwks.json`, {
        timings: { maxAgeMilliseconds: 50, refetchMilliseconds: 50 },
      }),
    );
    const published = identity.app.get(KeyRing);
    const kids = new Set<string>();
    const tokens: string[] = [];
    const until = performance.now() + 2_500;
    while (performance.now() < until) {
      const token = await issuer.issue(holder, new Date());
      tokens.push(token);
      kids.add(String(decodeProtectedHeader(token).kid));
      // Stands in for the minute timer of the process that publishes.
      await published.check();
      await Promise.all([local.verify(token), remote.verify(token)]);
      for (const earlier of tokens.slice(-200)) await new TokenVerifier(rules, other).verify(earlier);
    }
    await issuer.onModuleDestroy();
    await other.onModuleDestroy();
    expect(kids.size).toBeGreaterThan(4);
  });

  test('[F19] that have served their time are withdrawn', async () => {
    const ring = ringWith(hasty);
    await ring.check();
    const token = await ring.issue(holder, new Date());
    await identity.pool.query(
      "update signing_keys set retires_at = now() - interval '1 s' where state = 'verify-only'",
    );
    await ring.check();
    expect((await states()).toSorted()).toEqual(expect.arrayContaining(['active', 'standby']));
    await expect(ring.keyOf(String(decodeProtectedHeader(token).kid))).resolves.toBeDefined();
    await expect(ring.keyOf('withdrawn')).resolves.toBeUndefined();
  });

  test('[F06] a ring whose database comes later begins when it is there', async () => {
    let isThere = false;
    const query = (...args: [string]) =>
      isThere
        ? identity.pool.query(...args)
        : Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    const ring = new KeyRing(
      { query } as unknown as Pool,
      identity.env,
      { ...hasty, activeSeconds: 3_600 },
      ownSweeps(),
    );
    await ring.onModuleInit();
    await expect(ring.issue(holder, new Date())).rejects.toThrow('away');
    isThere = true;
    expect((await ring.jwks()).keys.length).toBeGreaterThanOrEqual(2);
    await expect(ring.issue(holder, new Date())).resolves.toBeDefined();
    await ring.onModuleDestroy();
  });

  test('[S42] a ring with the wrong sealing key does not start', async () => {
    const env = { ...identity.env, KEY_ENCRYPTION_KEY: randomBytes(32) };
    await expect(ringWith({ ...hasty, activeSeconds: 3_600 }, env).onModuleInit()).rejects.toThrow();
  });
});
