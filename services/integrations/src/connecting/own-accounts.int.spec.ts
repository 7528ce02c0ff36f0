import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import type { Envelope } from '@caravan/contracts/events/envelope';
import { fitnessAccountsSchema, fitnessStatusSchema } from '@caravan/contracts/http/fitness';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IntegrationsUnderTest, startIntegrations } from '../testing/integrations-under-test.ts';

let service: IntegrationsUnderTest;
const maya = { userId: randomUUID(), orgId: randomUUID() };

beforeAll(async () => {
  service = await startIntegrations();
});
afterAll(() => service.close());

const statusOf = async (person: typeof maya) => {
  const { status, body } = await (await service.as(person)).get('/api/fitness/status');
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
  await service.connect(maya, 'strava', '', '4711');
  await service.connect(maya, 'fitbit', '', 'FIT9');
  await service.rows(
    maya.orgId,
    `update provider_accounts set last_synced_at = case provider when 'strava' then $2 else $3 end::timestamptz
     where org_id = $1`,
    ...syncedAt,
  );
  expect(await statusOf(maya)).toEqual({
    strava: { connected: true, athleteId: '4711' },
    fitbit: { connected: true, userId: 'FIT9' },
    lastSyncDate: syncedAt[1],
  });
  expect(await statusOf({ ...maya, userId: randomUUID() })).toEqual(notConnected);
  expect(await statusOf({ ...maya, orgId: randomUUID() })).toEqual(notConnected);
});

test('[D21] the list says of each platform what is shown to whom, and what it earns', async () => {
  const list = async (person: TestPerson) =>
    fitnessAccountsSchema.parse((await (await service.as(person)).get('/api/fitness/accounts')).body);
  const figures = { importCount: 4, backfill: null };
  const at = {
    connectedAt: expect.stringMatching(/Z$/) as string,
    lastSyncedAt: expect.stringMatching(/Z$/) as string,
  };
  expect(await list(maya)).toEqual([
    {
      provider: 'strava',
      state: 'connected',
      providerUserId: '4711',
      audience: 'owner',
      isScored: false,
      ...at,
      ...figures,
    },
    {
      provider: 'fitbit',
      state: 'connected',
      providerUserId: 'FIT9',
      audience: 'organisation',
      isScored: true,
      ...at,
      ...figures,
    },
  ]);
  const nothing = { providerUserId: null, connectedAt: null, lastSyncedAt: null, isScored: false, ...figures };
  service.platforms.fitbit.isSetUp = false;
  expect(await list({ ...maya, orgId: randomUUID() })).toEqual([
    { provider: 'strava', state: 'not-connected', audience: 'owner', ...nothing },
    { provider: 'fitbit', state: 'not-set-up', audience: 'organisation', ...nothing },
  ]);
  service.platforms.fitbit.isSetUp = true;
});

test('[S18] no row of one organisation is visible to another', async () => {
  await service.begin(maya, 'strava');
  const seen = await tenancyOf(service.pool, randomUUID());
  expect(seen).toMatchObject({ unguarded: [], leaking: [] });
  expect(seen.proven).toEqual(expect.arrayContaining(['connect_attempts', 'provider_accounts']));
});

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const declared = declaredIn(resolve(import.meta.dirname, '../../prisma/schema.prisma'));
  expect(declared).toEqual(await migratedInto(service.pool));
});

const answersOf = (orgId: string) => withTenant(service.pool, orgId, (tx) => tx.query('select from es.requests'));
const connect = async (person: TestPerson) => {
  await service.connect(person, 'strava');
  await service.begin(person, 'fitbit');
  const { orgId, userId } = person;
  await service.rows(
    orgId,
    `insert into es.requests (org_id, owner, key, body_hash) values ($1, $2, 'once', 'x')`,
    userId,
  );
};

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
  const rowsOf = async (table: string, orgId: string) =>
    (await service.rows(orgId, `select from ${table} where org_id = $1`)).length;
  const left = (orgId: string) =>
    Promise.all([
      rowsOf('provider_accounts', orgId),
      rowsOf('connect_attempts', orgId),
      answersOf(orgId).then(({ rowCount }) => rowCount),
    ]);
  await expect.poll(() => left(gone.orgId)).toEqual([0, 0, 0]);
  expect(await left(other.orgId)).toEqual([1, 1, 1]);
  await peer.close();
});

describe('the accounts of a member', () => {
  const file = [
    { provider: 'fitbit', idAtProvider: 'FIT9', connectedAt: expect.stringMatching(/Z$/) as string },
    { provider: 'strava', idAtProvider: '4711', connectedAt: expect.stringMatching(/Z$/) as string },
  ].map((row) => ({
    ...row,
    lastSyncedAt: expect.stringMatching(/Z$/) as string,
    state: 'connected',
    allowed: ['activity:read'],
    isScored: row.provider === 'fitbit',
    consentedAt: expect.stringMatching(/Z$/) as string,
  }));
  const noImports = { 'imported-workouts': [], 'synced-workouts': [] };
  const exportOf = async (person: typeof maya) => (await (await service.as(person)).get(myDataPath)).body;

  test('[D32 S23] are in the export of their owner and of nobody else', async () => {
    expect(myDataSchema.parse(await exportOf(maya))).toEqual({ files: { ...noImports, 'connected-accounts': file } });
    const nothing = { files: { ...noImports, 'connected-accounts': [] } };
    expect(await exportOf({ ...maya, userId: randomUUID() })).toEqual(nothing);
    expect(await exportOf({ ...maya, orgId: randomUUID() })).toEqual(nothing);
    expect((await apiClient(service.url).get(myDataPath)).status).toBe(401);
  });

  test('[D32 S23] go with an erased member, also at the platform, however often it is said; those of others stay', async () => {
    const peer = await startPeerService('identity', service.env);
    const erase = ({ userId, orgId }: typeof maya) => {
      const data = { userId, teamId: randomUUID(), wasActive: true, erasedAt: new Date().toISOString() };
      return { type: 'MemberErased', version: 1, orgId, key: orgId, data };
    };
    const waitFor = async (said: readonly Envelope[]) => {
      const client = await service.as(maya);
      const header = { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` };
      const { headers } = await client.get('/api/fitness/status', header);
      expect(headers.get('x-stale')).toBeNull();
    };
    await waitFor(await peer.publish(erase({ ...maya, userId: randomUUID() })));
    expect(await exportOf(maya)).toEqual({ files: { ...noImports, 'connected-accounts': file } });
    const said = await peer.publish(erase(maya), erase(maya));
    await peer.redeliver(...said.toReversed());
    await waitFor(said);
    expect(await exportOf(maya)).toEqual({ files: { ...noImports, 'connected-accounts': [] } });
    expect(await statusOf(maya)).toEqual(notConnected);
    await expect
      .poll(() => [service.platforms.strava, service.platforms.fitbit].map(({ revoked }) => revoked.length > 0))
      .toEqual([true, true]);
    await peer.close();
  });
});

test('[7.1] needs a token', async () => {
  expect((await apiClient(service.url).get('/api/fitness/status')).status).toBe(401);
});
