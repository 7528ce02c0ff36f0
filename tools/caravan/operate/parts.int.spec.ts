import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { serviceNames } from '@caravan/contracts/events/topics';
import { createPatientRedis, closeRedis } from '@caravan/service-kit/storage/redis';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { type MailServer, startMailServer } from '@caravan/service-kit/testing/mail-server';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTopics } from '../servers/databases.ts';
import type { RunFile } from '../servers/instance-files.ts';
import { partFindings } from './parts.ts';

const servers = testServers();
const perService = (address: string) =>
  Object.fromEntries(serviceNames.map((name) => [name, address])) as RunFile['services'];
const open: Server[] = [];
let database: TestDatabase;
let mail: MailServer;
/** Accepts connections and never answers, like a stopped program. */
let silent: { host: string; port: number };
let run: RunFile;
let background: object[] = [];

async function listening(server: Server): Promise<{ host: string; port: number }> {
  open.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}
const at = (protocol: string, { host, port }: typeof silent) => `${protocol}://${host}:${port}`;

beforeAll(async () => {
  await createTopics(servers.kafka);
  database = await createTestDatabase({ folders: [] });
  mail = await startMailServer();
  silent = await listening(createServer((socket) => void socket.on('error', () => undefined)));
  const late = await listening(createHttpServer((_request, response) => response.end(JSON.stringify({ background }))));
  const well = await listening(createHttpServer((_request, response) => response.end('{}')));
  run = {
    url: at('http', late),
    postgres: perService(database.url),
    postgresOwner: '',
    kafka: [...servers.kafka],
    redis: servers.redis,
    s3: servers.s3,
    services: perService(at('http', well)),
    serviceCredential: 'secret',
    mail: { smtp: mail.url, http: at('http', well) },
    platforms: { strava: at('http', well) },
    pids: {},
    crashes: {},
  };
});
afterAll(async () => {
  for (const server of open) server.close();
  await mail.close();
  await database.drop();
});

const marksOf = async (of: RunFile) =>
  (await partFindings(of)).filter(({ mark }) => mark === '✗').map(({ what, details }) => `${what}: ${details}`);

test('the doctor finds nothing wrong while every part answers', async () => {
  expect(await marksOf(run)).toEqual([]);
});

test('the doctor names each part that hangs, and no other one', async () => {
  const hanging: Record<string, Partial<RunFile>> = {
    postgres: { postgres: perService(at('postgres', silent)) },
    redis: { redis: at('redis', silent) },
    kafka: { kafka: [`${silent.host}:${silent.port}`] },
    objects: { s3: { ...run.s3, endpoint: at('http', silent) } },
    mailbox: { mail: { ...run.mail, smtp: at('smtp', silent) } },
    simulators: { platforms: { strava: at('http', silent) } },
    gateway: { url: at('http', silent) },
    social: { services: { ...run.services, social: at('http', silent) } },
  };
  const told = await Promise.all(
    Object.entries(hanging).map(async ([part, change]) => [part, await marksOf({ ...run, ...change })] as const),
  );
  for (const [part, findings] of told) expect(findings).toEqual([expect.stringMatching(new RegExp(`^${part}: `))]);
});

test('the doctor marks a Redis that answers and takes no writes', async () => {
  const admin = createPatientRedis({ url: servers.redis, name: 'admin' });
  const user = `reader-${process.pid}`;
  await admin.call('ACL', 'SETUSER', user, 'on', '>secret', '~*', '+@read', '+@connection');
  const address = new URL(servers.redis);
  address.username = user;
  address.password = 'secret';
  expect(await marksOf({ ...run, redis: address.href })).toEqual([expect.stringMatching(/^redis: NOPERM/)]);
  await admin.call('ACL', 'DELUSER', user);
  await closeRedis(admin);
});

test('the doctor names background work that is late, with its last success and its reason', async () => {
  background = [
    {
      kind: 'job',
      task: 'social.end-ballots',
      lastSuccessAt: '2026-11-27T06:00:00.000Z',
      lateSeconds: 42,
      problem: 'connection refused',
    },
  ];
  expect(await marksOf(run)).toEqual([
    'gateway: job social.end-ballots is 42 s late (last success: 2026-11-27T06:00:00.000Z): connection refused',
  ]);
});
