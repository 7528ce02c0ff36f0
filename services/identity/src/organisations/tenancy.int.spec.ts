import { createPublicKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { PublicJwk } from '@caravan/auth/jwks';
import { forgedTokens, signTestToken, testClaims } from '@caravan/auth/testing/tokens';
import { tenantQuery, withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { openSealedKey } from '../signing-keys/key-ring.service.ts';

const canary = 'Canary-of-B';
let identity: IdentityUnderTest;
let a: Visitor;
let b: Visitor;
beforeAll(async () => {
  identity = await startIdentity();
  a = identity.visitor();
  b = identity.visitor();
  await a.signUp({ organizationName: 'A', name: 'Ada' });
  await b.signUp({ organizationName: canary, name: canary, email: `${canary}@example.com` });
});
afterAll(() => identity.close());

const orgOf = (visitor: Visitor) => String(decodeJwt(visitor.token ?? '')['org']);
const tenantTables = async () => {
  const { rows } = await identity.pool.query<{ name: string; isForced: boolean; policies: number }>(
    `select c.oid::regclass::text as name, c.relrowsecurity and c.relforcerowsecurity as is_forced,
        (select count(*) from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c join pg_attribute o on o.attrelid = c.oid and o.attname = 'org_id'
      where c.relnamespace in ('public'::regnamespace, 'audit'::regnamespace) and c.relkind = 'r'`,
  );
  return rows;
};

describe('another organisation’s rows', () => {
  test('[S18] every table of an organisation has forced row-level security', async () => {
    const tables = await tenantTables();
    expect(tables.length).toBeGreaterThanOrEqual(10);
    for (const table of tables) expect(table).toMatchObject({ isForced: true, policies: 1 });
  });

  test('[S18] the service’s role passes no policy and owns nothing', async () => {
    const { rows } = await identity.pool.query(
      `select rolsuper, rolbypassrls, (select count(*) from pg_class where relowner = r.oid) as owned
        from pg_roles r where rolname = current_user`,
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owned: 0 }]);
  });

  test('[S18] are invisible and untouchable, in every table', async () => {
    for (const { name } of await tenantTables()) {
      const { rows } = await tenantQuery<{ orgId: string }>(identity.pool, orgOf(a), `select org_id from ${name}`);
      expect(new Set(rows.map((row) => row.orgId)).size).toBeLessThanOrEqual(1);
      const touching = withTenant(identity.pool, orgOf(a), (tx) =>
        tx.query(`update ${name} set org_id = org_id where org_id = $1`, [orgOf(b)]),
      );
      // What is append-only is not even looked at.
      if (name.startsWith('audit.')) await expect(touching).rejects.toThrow(/permission denied/);
      else expect((await touching).rowCount).toBe(0);
    }
  });

  test('[S18] cannot be written for, nor moved to', async () => {
    const asA = (text: string, values: unknown[]) =>
      withTenant(identity.pool, orgOf(a), (tx) => tx.query(text, values));
    await expect(
      asA('insert into organisations values ($1, $2, $3, now())', [randomUUID(), 'x', 'UTC']),
    ).rejects.toThrow(/row-level security/);
    await expect(asA('update memberships set org_id = $1', [orgOf(b)])).rejects.toThrow(/row-level security/);
  });

  test('[S18] are seen by nobody without an organisation, on any connection', async () => {
    for (const { name } of await tenantTables()) {
      expect((await identity.pool.query(`select from ${name}`)).rowCount).toBe(0);
    }
  });

  test('[S18] appear in no answer', async () => {
    for (const path of [
      '/api/me',
      '/api/org/branding',
      `/api/me?orgId=${orgOf(b)}&userId=${String(decodeJwt(b.token ?? '').sub)}`,
    ]) {
      const answer = await a.get(path, { 'x-org-id': orgOf(b), 'x-user-id': String(decodeJwt(b.token ?? '').sub) });
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain(canary);
    }
  });

  test('[S18] rows are looked at across organisations in .system files only', () => {
    const src = resolve(import.meta.dirname, '..');
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!spec)[.]ts$/.test(file),
    );
    const reaching = sources.filter((file) => readFileSync(resolve(src, file), 'utf8').includes('withSystem'));
    expect(reaching.length).toBeGreaterThan(5);
    expect(reaching.filter((file) => !/[.]system[.](store|query)[.]ts$/.test(file))).toEqual([]);
  });
});

describe('a token', async () => {
  const activeKey = async () => {
    const { rows } = await identity.pool.query<{ kid: string; publicJwk: PublicJwk; privateKeyEncrypted: Buffer }>(
      "select * from signing_keys where state = 'active'",
    );
    const [row] = rows;
    if (!row) throw new Error('no active key');
    const privateKey = openSealedKey(row.kid, row.privateKeyEncrypted, identity.env.KEY_ENCRYPTION_KEY);
    return { kid: row.kid, privateKey, publicJwk: row.publicJwk };
  };

  test('[S02 S03] forged in any way we know is refused at this port', async () => {
    const key = await activeKey();
    expect(createPublicKey({ key: key.publicJwk, format: 'jwk' }).type).toBe('public');
    const visitor = identity.visitor();
    for (const [way, token] of Object.entries(await forgedTokens(key))) {
      visitor.token = token;
      expect((await visitor.get('/api/me')).status, way).toBe(401);
      expect((await visitor.call('PATCH', '/api/me/activity-level', { activityLevel: 'active' })).status, way).toBe(
        401,
      );
    }
  });

  test('[S18] signed by us for a session that does not exist is refused', async () => {
    const visitor = identity.visitor();
    const claims = { ...decodeJwt(a.token ?? ''), sid: randomUUID() };
    visitor.token = await signTestToken(await activeKey(), testClaims(claims));
    expect(await visitor.get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
  });

  test('[S18] of a person under another organisation finds nobody', async () => {
    const visitor = identity.visitor();
    const claims = { ...decodeJwt(a.token ?? ''), org: orgOf(b), jti: randomUUID() };
    visitor.token = await signTestToken(await activeKey(), testClaims(claims));
    expect(await visitor.get('/api/me')).toMatchObject({ status: 401, body: { code: 'me/gone' } });
  });
});

test('[D1] the log is append-only for this service', async () => {
  for (const statement of ['update es.events set data = data', 'delete from es.events', 'truncate es.events']) {
    await expect(withSystem(identity.pool, (tx) => tx.query(statement))).rejects.toThrow(/permission denied/);
  }
});
