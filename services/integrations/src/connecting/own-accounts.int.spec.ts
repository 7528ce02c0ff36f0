import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { startIdentityDouble } from '@caravan/auth/testing/identity-double';
import type { IdentityDouble } from '@caravan/auth/testing/identity-double';
import type { Envelope } from '@caravan/contracts/envelope';
import { fitnessStatusSchema } from '@caravan/contracts/http/fitness';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { withTenant } from '@caravan/event-store/postgres';
import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { startTestService } from '@caravan/service-kit/testing/service';
import type { TestService } from '@caravan/service-kit/testing/service';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppModule } from '../app.module.ts';

let identity: IdentityDouble;
let service: TestService;
const maya = { userId: randomUUID(), orgId: randomUUID() };

beforeAll(async () => {
  identity = await startIdentityDouble();
  service = await startTestService({
    service: 'integrations',
    module: (env) => AppModule.forRoot(env),
    migrations: resolve(import.meta.dirname, '../../prisma/migrations'),
    strategy: KafkaBatchServer,
    env: identity.env,
  });
});
afterAll(async () => {
  await service.close();
  await identity.close();
});

const statusOf = async (person: typeof maya) => {
  const { status, body } = await apiClient(service.url, await identity.tokenFor(person)).get('/api/fitness/status');
  expect(status).toBe(200);
  return fitnessStatusSchema.parse(body);
};
const notConnected = {
  strava: { connected: false, athleteId: null },
  fitbit: { connected: false, userId: null },
  lastSyncDate: null,
};

test('the service is ready and has nothing left to do', async () => {
  expect((await apiClient(service.url).get('/health/ready')).body).toEqual({ status: 'ready' });
});

test('[3.37 7.21] nothing is connected before something is', async () => {
  expect(await statusOf(maya)).toEqual(notConnected);
});

test('[3.37 7.21] a connected account shows its id and the latest sync, to its owner only', async () => {
  const syncedAt = ['2026-11-15T08:00:00.000Z', '2026-11-16T08:00:00.000Z'];
  await withTenant(service.pool, maya.orgId, (tx) =>
    tx.query(
      `insert into provider_accounts (org_id, user_id, provider, provider_user_id, connected_at, last_synced_at)
       values ($1, $2, 'strava', '4711', now(), $3), ($1, $2, 'fitbit', 'FIT9', now(), $4)`,
      [maya.orgId, maya.userId, ...syncedAt],
    ),
  );
  expect(await statusOf(maya)).toEqual({
    strava: { connected: true, athleteId: '4711' },
    fitbit: { connected: true, userId: 'FIT9' },
    lastSyncDate: syncedAt[1],
  });
  expect(await statusOf({ ...maya, userId: randomUUID() })).toEqual(notConnected);
  expect(await statusOf({ ...maya, orgId: randomUUID() })).toEqual(notConnected);
});

test('[S18] no row of one organisation is visible to another', async () => {
  const seen = await tenancyOf(service.pool, randomUUID());
  expect(seen).toEqual({ unguarded: [], leaking: [], proven: ['provider_accounts'] });
});

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const declared = declaredIn(resolve(import.meta.dirname, '../../prisma/schema.prisma'));
  expect(declared).toEqual(await migratedInto(service.pool));
});

const answersOf = (orgId: string) => withTenant(service.pool, orgId, (tx) => tx.query('select from es.requests'));
const connect = ({ userId, orgId }: typeof maya) =>
  withTenant(service.pool, orgId, async (tx) => {
    await tx.query(
      `insert into provider_accounts (org_id, user_id, provider, provider_user_id, connected_at)
       values ($1, $2, 'strava', $3, now())`,
      [orgId, userId, randomUUID()],
    );
    await tx.query(`insert into es.requests (org_id, owner, key, body_hash) values ($1, $2, 'once', 'x')`, [
      ...[orgId, userId],
    ]);
  });

test('[D43] a closed organisation leaves no account and no kept answer, however often it is said; others keep theirs', async () => {
  const peer = await startPeerService('identity', service.env);
  const [gone, other] = [1, 2].map(() => ({ userId: randomUUID(), orgId: randomUUID() })) as [typeof maya, typeof maya];
  await connect(gone);
  await connect({ ...gone, userId: randomUUID() });
  await connect(other);
  const data = { closedAt: new Date().toISOString() };
  const closed = { type: 'OrganisationClosed', version: 1, orgId: gone.orgId, key: gone.orgId, data };
  const said = await peer.publish(closed, closed);
  await peer.redeliver(...said.toReversed());
  const accounts = (orgId: string) =>
    withTenant(service.pool, orgId, (tx) => tx.query('select from provider_accounts'));
  const left = async (orgId: string) => [(await accounts(orgId)).rowCount, (await answersOf(orgId)).rowCount];
  await expect.poll(() => left(gone.orgId)).toEqual([0, 0]);
  expect(await left(other.orgId)).toEqual([1, 1]);
  await peer.close();
});

describe('the accounts of a member', () => {
  const file = [
    ...[{ provider: 'fitbit', idAtProvider: 'FIT9', connectedAt: expect.stringMatching(/Z$/) as string }],
    { provider: 'strava', idAtProvider: '4711', connectedAt: expect.stringMatching(/Z$/) as string },
  ].map((row) => ({ ...row, lastSyncedAt: expect.stringMatching(/Z$/) as string }));
  const exportOf = async (person: typeof maya) =>
    (await apiClient(service.url, await identity.tokenFor(person)).get(myDataPath)).body;

  test('[D32] are in the export of their owner and of nobody else', async () => {
    expect(myDataSchema.parse(await exportOf(maya))).toEqual({ files: { 'connected-accounts': file } });
    const nothing = { files: { 'connected-accounts': [] } };
    expect(await exportOf({ ...maya, userId: randomUUID() })).toEqual(nothing);
    expect(await exportOf({ ...maya, orgId: randomUUID() })).toEqual(nothing);
    expect((await apiClient(service.url).get(myDataPath)).status).toBe(401);
  });

  test('[D32] go with an erased member, however often it is said; those of others stay', async () => {
    const peer = await startPeerService('identity', service.env);
    const erase = ({ userId, orgId }: typeof maya) => {
      const data = { userId, teamId: randomUUID(), wasActive: true, erasedAt: new Date().toISOString() };
      return { type: 'MemberErased', version: 1, orgId, key: orgId, data };
    };
    const waitFor = async (said: readonly Envelope[]) => {
      const client = apiClient(service.url, await identity.tokenFor(maya));
      const header = { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` };
      const { headers } = await client.get('/api/fitness/status', header);
      expect(headers.get('x-stale')).toBeNull();
    };
    await waitFor(await peer.publish(erase({ ...maya, userId: randomUUID() })));
    expect(await exportOf(maya)).toEqual({ files: { 'connected-accounts': file } });
    const said = await peer.publish(erase(maya), erase(maya));
    await peer.redeliver(...said.toReversed());
    await waitFor(said);
    expect(await exportOf(maya)).toEqual({ files: { 'connected-accounts': [] } });
    expect(await statusOf(maya)).toEqual(notConnected);
    await peer.close();
  });
});

test('[7.1] needs a token', async () => {
  expect((await apiClient(service.url).get('/api/fitness/status')).status).toBe(401);
});
