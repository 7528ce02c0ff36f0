import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from '@caravan/contracts/testing/seeded';
import { serviceNames } from '@caravan/contracts/events/topics';
import { release } from '@caravan/service-kit/telemetry/release';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { testServers } from '@caravan/service-kit/testing/servers';
import { Client } from '@caravan/event-store/postgres/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTopics, foldersOf } from '../../servers/databases.ts';
import { root } from '../../process/paths.ts';
import { checkDeployment } from './deployment.ts';
import type { Installation } from './installation.ts';

const servers = testServers();
const admin = new Client({ connectionString: servers.postgresAdmin });
const slot = `doctor_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;
let installation: Installation;
let version = release.version;

/** A service that is ready and shows its figures to the credential. */
const service = createServer(({ url, headers }, response) => {
  const isTold = url === '/metrics' && headers['x-service-credential'] === 'secret';
  response.end(isTold ? `caravan_release_info{service="x",version="${version}",node="v24.0.0"} 1\n` : '{}');
});

beforeAll(async () => {
  await admin.connect();
  await createTopics(servers.kafka);
  // That of scoring; to the doctor the others lack their own tables, and have hers.
  database = await createTestDatabase({ folders: foldersOf('scoring').map((folder) => join(root, folder)) });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const each = <Value>(value: Value) =>
    Object.fromEntries(serviceNames.map((name) => [name, value])) as Record<(typeof serviceNames)[number], Value>;
  installation = {
    databases: each({ runtime: database.url, owner: database.ownerUrl }),
    kafka: servers.kafka,
    redis: servers.redis,
    storage: servers.s3.endpoint,
    mail: undefined,
    services: each(address),
    metricsPort: undefined,
    serviceCredential: 'secret',
    publicUrl: address,
  };
});
afterAll(async () => {
  service.close();
  await admin.end();
  await database.drop();
});

/** What the doctor prints, a line a finding, and its exit code. */
async function reportOf(of = installation): Promise<{ lines: string[]; exitCode: number }> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const exitCode = await checkDeployment(of).finally(() => write.mockRestore());
  return { lines: text.trim().split('\n'), exitCode };
}
const about = (lines: readonly string[], what: string) => lines.filter((line) => line.slice(3).startsWith(what));

test('the doctor tells of a running installation what is there, and how far behind it is', async () => {
  const { lines } = await reportOf();
  expect(about(lines, 'scoring ')).toEqual([
    expect.stringMatching(new RegExp(`^✓ {2}scoring +is ready, version ${release.version} on Node v24.0.0$`)),
    expect.stringMatching(/^✓ {2}scoring schema +as this release has it$/),
    expect.stringMatching(/^✓ {2}scoring database +PostgreSQL \d+\S* .*\d+ MB$/),
    expect.stringMatching(/^✓ {2}scoring outbox +0 messages wait for Kafka, the oldest for 0 s$/),
    expect.stringMatching(/^✓ {2}scoring consumers +0 messages are not applied by 0 consumer groups$/),
  ]);
  expect(about(lines, 'kafka')).toEqual([expect.stringMatching(/^✓ .*\d+ topics with \d+ partitions are there$/)]);
  expect(about(lines, 'redis')).toEqual([expect.stringMatching(/^✓ {2}redis +Redis \S+, evicts by noeviction$/)]);
  for (const clock of ['PostgreSQL', 'redis', 'the storage', 'the gateway'])
    expect(about(lines, `clock of ${clock}`)).toEqual([expect.stringMatching(/^✓ /)]);
  expect(about(lines, 'certificate of the gateway')).toEqual([expect.stringMatching(/^! .*people need https$/)]);
});

test('the doctor marks a schema that lacks migrations, and services of another version', async () => {
  version = '0.0.9';
  const { lines, exitCode } = await reportOf().finally(() => (version = release.version));
  expect(exitCode).toBe(1);
  expect(about(lines, 'social schema')).toEqual([expect.stringMatching(/^✗ .* lacks \d+_social_baseline: prepare$/)]);
  expect(about(lines, 'social ')[0]).toMatch(/^! .*version 0\.0\.9 on Node v24\.0\.0; here it is /);
});

test('the doctor marks a replication slot that nobody reads, and keys that are parked', async () => {
  await admin.query('select pg_create_physical_replication_slot($1, true)', [slot]);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(
    `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, error_code, error_message)
     values ('scoring.credit-miles', 'activity', 'somebody', 'activity', 0, 7, 'message/broken', 'not readable')`,
  );
  try {
    const { lines } = await reportOf();
    expect(about(lines, 'scoring database').join('\n')).toContain(`the replication slot ${slot} has no reader`);
    expect(about(lines, 'scoring messages').join('\n')).toContain('1 keys are parked');
  } finally {
    await owner.query(`delete from msg.parked`);
    await owner.end();
    await admin.query('select pg_drop_replication_slot($1)', [slot]);
  }
});

test('the doctor goes on where a part does not answer', async () => {
  const { lines, exitCode } = await reportOf({ ...installation, redis: 'redis://127.0.0.1:9', kafka: ['127.0.0.1:9'] });
  expect(exitCode).toBe(1);
  expect(about(lines, 'redis')).toEqual([expect.stringMatching(/^✗ {2}redis +does not answer$/)]);
  expect(about(lines, 'clock of PostgreSQL')).toEqual([expect.stringMatching(/^✓ /)]);
});
