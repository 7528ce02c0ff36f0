import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@caravan/contracts/events/topics';
import { eventually } from '@caravan/event-store/testing/eventually';
import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import { testServers } from '@caravan/service-kit/testing/servers';
import { testEnv } from '@caravan/service-kit/testing/service';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { groupsOf, type Handler } from './consumer.ts';
import { ConsumersWatch, type LostGroup } from './consumers-watch.ts';
import { GroupConsumer } from './group-consumer.ts';
import { topicsOf } from './kafka-batch-server.ts';
import type { Kafka } from '../kafka/kafka-port.ts';
import { createKafka } from '../kafka/kafka.ts';
import { seeing, seenBy } from '../testing/counting.ts';
import { envelope } from '../testing/envelope.ts';
import { hangingClients, hangs } from '../testing/hanging-clients.ts';
import { silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A process that starts from sources takes long on a busy machine. */
const whileItStarts = { timeout: 200_000, interval: 25 };
const patiently = { timeout: 90_000, interval: 25 };

let suite: Suite;
let kafka: Kafka;
let closing: (() => Promise<unknown>)[] = [];
let position = 0;

beforeEach(async () => {
  position = 0;
  suite = await openSuite(testServers().kafka[0] ?? '');
  const timing = { sessionTimeoutMs: 6_000, heartbeatMs: 100, maxWaitMs: 100 };
  const { kafka: address, prefix } = suite.address;
  const client = createKafka({ brokers: [address], clientId: 'watched', prefix, ...timing }, silent);
  // The least session that the broker allows would take minutes: the watch is told of a shorter one.
  kafka = { ...client, sessionTimeoutMs: 1_500 };
  await suite.kafka.ensureTopics([{ ...topics.activity, partitions: 2 }]);
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
  await kafka.close();
  await suite.close();
});

const publish = () => {
  position += 1;
  return suite.kafka.send(topics.activity.name, [{ key: 'maya', value: envelope('maya', position) }]);
};
const positionsSeen = async () => (await seenBy(suite.owner, 'watched')).map((seen) => seen.position);
const isApplied = () =>
  vi.waitFor(async () => {
    expect(await positionsSeen()).toEqual(Array.from({ length: position }, (_, nth) => nth + 1));
  }, patiently);

/** One group, looked at ten times a second. */
function watchedGroup(handler: Handler = seeing('watched'), asked: Partial<Kafka> = {}) {
  const clients = hangingClients(kafka);
  const [group] = groupsOf([handler]);
  if (!group) throw new Error('There is no group.');
  const pool = suite.newPool(4);
  const settings = { maxBackoffMs: 200 };
  const consumer = new GroupConsumer({
    group,
    topics: topicsOf(group),
    kafka: clients.kafka,
    pool,
    log: silent,
    settings,
  });
  const lost: LostGroup[] = [];
  const replaced = vi.fn();
  const looks = vi.fn(asked.endOffsets ?? kafka.endOffsets);
  const background = new BackgroundWork(new Metrics('test', { hasProcessMetrics: false }));
  const watch = new ConsumersWatch({
    consumers: [consumer],
    kafka: { ...kafka, ...asked, endOffsets: looks },
    log: silent,
    metrics: { countReplacement: replaced },
    background,
    everyMs: 100,
    lateAfterSeconds: 1,
    onLost: (group) => lost.push(group),
  });
  consumer.start();
  watch.start();
  closing.push(async () => {
    await watch.stop();
    // A client that hangs would be waited for.
    consumer.giveUp();
    await consumer.stop();
  });
  return { clients, lost, replaced, background, looks };
}

describe('[F04] a consumer group whose client stops without an error', () => {
  test.each(hangs)(
    'gets a new client when the old one %s, and applies what has waited, once',
    async (how) => {
      const { clients, replaced, lost } = watchedGroup();
      if (how !== 'never joins') {
        await publish();
        await isApplied();
      }
      clients.hang(how, how === 'never joins' ? 1 : 0);
      await publish();
      await publish();
      await isApplied();
      expect(replaced).toHaveBeenCalledWith('watched');
      expect(lost).toEqual([]);
    },
    120_000,
  );

  test('is late, with its backlog, until it works again', async () => {
    const { clients, background } = watchedGroup();
    await publish();
    await isApplied();
    await vi.waitFor(() => expect(background.late()).toEqual([]), patiently);
    clients.hang('hands over no batch', 1);
    await publish();
    await vi.waitFor(
      () =>
        expect(background.late()).toMatchObject([
          {
            kind: 'consumer',
            task: 'watched',
            problem: expect.stringContaining('1 messages are not applied') as string,
          },
        ]),
      patiently,
    );
    await isApplied();
    await vi.waitFor(() => expect(background.late()).toEqual([]), patiently);
  }, 120_000);

  test('is given up once when two new clients have not helped', async () => {
    const { clients, lost, replaced } = watchedGroup();
    clients.hang('never joins', 10);
    await vi.waitFor(() => expect(lost).toHaveLength(1), patiently);
    expect(lost[0]?.group).toBe('watched');
    expect(replaced).toHaveBeenCalledTimes(2);
    expect(clients.clients).toBeLessThanOrEqual(3);
  }, 120_000);

  test.each([
    ['Kafka does not answer', 'endOffsets'],
    ['the coordinator of the group does not answer', 'describeGroups'],
  ] as const)(
    'keeps its client, and the process goes on, while %s',
    async (_, question) => {
      const asked = vi.fn(() => Promise.reject(new Error('away')));
      const { clients, lost, replaced } = watchedGroup(seeing('watched'), { [question]: asked });
      clients.hang('never joins', 10);
      // The group would have been replaced twice by then.
      const looks = question === 'endOffsets' ? 100 : 3;
      await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThanOrEqual(looks), patiently);
      expect([replaced.mock.calls.length, lost]).toEqual([0, []]);
    },
    120_000,
  );
});

describe('[F04] a consumer group that waits for good reasons keeps its client', () => {
  test('while a message is tried again and again, and while a batch takes its time', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    let isAway = true;
    let goOn: () => void = () => undefined;
    const batch = new Promise<void>((resolve) => (goOn = resolve));
    const { subscription, handle } = seeing('watched');
    const handler: Handler = {
      subscription,
      handle: async (event, context) => {
        if (isAway) throw away;
        // Statements go on meanwhile: PostgreSQL ends a transaction that does nothing.
        for (let isOver = false; !isOver;) {
          await context.tx.query('select 1');
          isOver = await Promise.race([batch.then(() => true), sleep(200).then(() => false)]);
        }
        await handle(event, context);
      },
    };
    const { replaced, lost, background, looks } = watchedGroup(handler);
    await publish();
    // Each lasts twice as long as a client that does nothing is left alone.
    await eventually(() => expect(looks.mock.calls.length).toBeGreaterThan(60));
    isAway = false;
    await eventually(() => expect(looks.mock.calls.length).toBeGreaterThan(120));
    goOn();
    await isApplied();
    expect([replaced.mock.calls.length, lost]).toEqual([0, []]);
    await vi.waitFor(() => expect(background.late()).toEqual([]), patiently);
  }, 120_000);
});

describe('[F04] a process whose consumer group two new clients have not helped', () => {
  test('stays ready and names the group, then ends in order with code 1 and one line that says why', async () => {
    const folders = ['event-store', 'messaging'].map((library) =>
      join(import.meta.dirname, '../..', library, 'migrations'),
    );
    const database = await createTestDatabase({ folders });
    closing.push(() => database.drop());
    const port = String(await freePort());
    const env = { ...testEnv('social', database.url), PORT: port, LOG_LEVEL: 'info' };
    const main = join(import.meta.dirname, '../testing/lost-main.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', main], { env: { PATH: process.env['PATH'], ...env } });
    closing.unshift(() => Promise.resolve(child.kill('SIGKILL')));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const ended = once(child, 'close');
    await vi.waitFor(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          status: 'ready',
          background: [
            expect.objectContaining({
              kind: 'consumer',
              task: 'social.hear',
              problem: expect.stringMatching(/no heartbeat for \d+ s$/) as string,
            }),
          ],
        },
      ]);
    }, whileItStarts);
    expect(await ended).toEqual([1, null]);
    const lines = output.split('\n');
    expect(lines.filter((line) => line.includes('consumer: client replaced'))).toHaveLength(2);
    const last = lines.filter((line) => line.includes('"level":"fatal"'));
    expect(last).toEqual([expect.stringMatching(/"group":"social.hear".*new clients did not help/)]);
  }, 400_000);
});
