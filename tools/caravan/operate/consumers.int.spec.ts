import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from '@caravan/contracts/testing/seeded';
import { createPool } from '@caravan/event-store/postgres/connections';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { createKafka } from '@caravan/messaging/kafka/kafka';
import { silent } from '@caravan/messaging/testing/settings';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { testServers } from '@caravan/service-kit/testing/servers';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { consumerFindings } from './consumers.ts';
import { root } from '../process/paths.ts';

const group = 'social.post-movements';
const topic = 'activity.v1';

let database: TestDatabase;
let pool: Pool;
let kafka: Kafka;
let stop: () => Promise<void>;
/** The service's own report. */
let background: object[] = [];
let knownGroups: readonly string[] = [];

const service = createServer(({ url }, response) => {
  const figures = knownGroups.map(
    (name) => `caravan_background_late{kind="consumer",task="${name}",service="social"} 0`,
  );
  response.end(url === '/metrics' ? figures.join('\n') : JSON.stringify({ status: 'ready', background }));
});

beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations'].map((folder) => join(root, folder));
  database = await createTestDatabase({ folders });
  pool = createPool(database.url, { max: 2 });
  const prefix = `t-${randomBytes(5).toString('hex')}.`;
  kafka = createKafka({ brokers: testServers().kafka, clientId: 'doctor-test', prefix }, silent);
  await kafka.ensureTopics([{ name: topic, partitions: 1 }]);
  await kafka.send(topic, [
    { key: 'maya', value: '1' },
    { key: 'maya', value: '2' },
    { key: 'maya', value: '3' },
  ]);
  // A member that applies nothing.
  const running = await kafka.consume(group, [topic], {
    onAssigned: () => undefined,
    onBatch: () => Promise.resolve(),
  });
  stop = () => running.stop();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
}, 60_000);
afterAll(async () => {
  service.close();
  await stop();
  await kafka.close();
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  background = [];
  knownGroups = [group];
  await pool.query('delete from msg.progress');
  await pool.query('delete from msg.offsets');
});

async function isAt(name: string, offset: number): Promise<void> {
  await pool.query(
    `insert into msg.offsets (consumer_group, topic, partition_id, epoch, claimed_by) values ($1, $2, 0, 1, 'test')`,
    [name, topic],
  );
  await pool.query(
    'insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset) values ($1, $2, 0, 1, $3)',
    [name, topic, offset],
  );
}

async function doctorLines(asked: Partial<Kafka> = {}, patienceMs = 1_000): Promise<string[]> {
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const address = { url, metricsUrl: `${url}/metrics`, serviceCredential: 'secret' };
  const findings = await consumerFindings({
    ...address,
    name: 'social',
    pool,
    kafka: { ...kafka, ...asked },
    patienceMs,
  });
  return findings.map(({ mark, details }) => `${mark} ${details}`);
}

test('[F04] a consumer group that has a member and no backlog is well for the doctor', async () => {
  await isAt(group, 3);
  expect(await doctorLines()).toEqual(['✓ 0 messages are not applied by 1 consumer groups']);
});

test('[F04] the doctor names a consumer group that applies nothing of its backlog, although it has a member', async () => {
  await isAt(group, 1);
  expect(await doctorLines()).toEqual([
    '✗ 2 messages are not applied by 1 consumer groups',
    `✗ ${group}: 2 messages are not applied; none of a topic was applied within 1 s`,
  ]);
});

test('[F04] a consumer group that works off its backlog is well for the doctor', async () => {
  await isAt(group, 1);
  let looks = 0;
  const endOffsets: Kafka['endOffsets'] = async (names) => {
    looks += 1;
    if (looks === 2) await pool.query('update msg.progress set next_offset = 2');
    return kafka.endOffsets(names);
  };
  expect(await doctorLines({ endOffsets }, 60_000)).toEqual(['✓ 2 messages are not applied by 1 consumer groups']);
});

test('[F04] the doctor names a consumer group without a member, except one of an earlier release', async () => {
  await isAt('social.without-member', 3);
  await isAt('social.of-an-earlier-release', 0);
  knownGroups = ['social.without-member'];
  expect(await doctorLines()).toEqual([
    '✗ 0 messages are not applied by 1 consumer groups',
    '✗ social.without-member: 0 messages are not applied; no process is a member of it',
  ]);
});

test('[F04] the doctor names a consumer group that its process calls late, with the reason', async () => {
  await isAt(group, 3);
  background = [{ kind: 'consumer', task: group, problem: '857 messages are not applied: lock timeout' }];
  expect(await doctorLines()).toEqual([
    '✗ 0 messages are not applied by 1 consumer groups',
    `✗ ${group}: 0 messages are not applied; its process says: 857 messages are not applied: lock timeout`,
  ]);
});
