import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personKey } from '@caravan/contracts/events/fact-key';
import { topics } from '@caravan/contracts/events/topics';
import { createPool } from '@caravan/event-store/postgres/connections';
import { publicHistory } from '@caravan/event-store/rebuild/public-history';
import { eventually } from '@caravan/event-store/testing/eventually';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { afterRestore, type KeptMessage } from './after-restore.ts';
import { leastRead, readBetween } from './kept-messages.ts';
import { Relay } from '../relay/relay.ts';
import { count, counting, orgId, seeing } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const group = 'one-by-one';
let suite: Suite;
let pipeline: Pipeline;
let folder: string;

beforeEach(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  pipeline = startPipeline(suite, [seeing(group)]);
  folder = mkdtempSync(join(tmpdir(), 'caravan-'));
});
afterEach(async () => {
  await pipeline.stop();
  await suite.close();
  rmSync(folder, { recursive: true });
});

const tellOnce = (n: number, key: string) =>
  suite.store.transaction({ orgId, actorId: null, at: new Date(), key: personKey(key) }, (unit) =>
    unit.publish({ type: 'Counted', version: 1, data: { n }, isKept: false }),
  );

/** Into Kafka, where nobody reads. */
async function relayDuring(work: () => Promise<unknown>): Promise<void> {
  const relay = new Relay({
    service: 'activity',
    kafka: suite.kafka,
    pool: suite.newPool(1),
    log: silent,
    background: ownBackground(),
  });
  relay.start();
  await work();
  await eventually(async () => expect((await suite.owner.query('select from es.outbox')).rowCount).toBe(0));
  await relay.stop();
}

async function readKept(): Promise<string> {
  const lines: KeptMessage[] = [];
  const ends = await suite.kafka.endOffsets([topics.activity.name]);
  await readBetween(suite.kafka, await leastRead(suite.owner), ends, (messages) => void lines.push(...messages));
  const file = join(folder, 'kept.ndjson');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** As a backup has the log: it ends here, and positions are used again. */
const cutBehind = (position: number) =>
  suite.owner.query(`select set_config('app.org', 'system', true); delete from es.events where pos > ${position};
    select setval('es.events_pos_seq', ${position})`);

/** The service's own connections. */
async function disconnectService(): Promise<void> {
  const pool = createPool(suite.address.databaseUrl, { max: 1 });
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  );
  await pool.end();
}

const numbersSeen = async () =>
  (await suite.owner.query<{ n: number }>('select n from seen order by n')).rows.map(({ n }) => n);

test.each([
  ['a backup that kept what was on its way', readKept, 2, [11, 12, 13, 14, 25]],
  // What is told once is in no log.
  ['databases alone, by telling the history again', () => Promise.resolve(undefined), 3, [11, 12, 13, 25]],
])(
  '[F20] taken up from %s, each fact arrives once, what came later is forgotten, and news is news',
  async (_what, keptOf, messages, seen) => {
    await count(suite.store, 'maya', 11);
    await count(suite.store, 'omar', 12);
    await pipeline.idle();
    await pipeline.stop();
    let position = 0;
    await relayDuring(async () => {
      position = await count(suite.store, 'maya', 13);
      await tellOnce(14, 'omar');
    });
    const keptFile = await keptOf();
    await relayDuring(() => count(suite.store, 'maya', 15));
    // Positions of what was told once are the log's too.
    await cutBehind(position + 1);
    const restored = {
      service: 'activity' as const,
      databaseUrl: String(suite.owner.options.connectionString),
      kafka: suite.kafka,
      history: [publicHistory(counting)],
      keptFile,
    };
    await suite.pool.query('select');
    await expect(afterRestore(restored)).rejects.toThrow('activity is running: stop it first');
    await disconnectService();
    // Of a key in another partition it would not be known what was received.
    await expect(afterRestore({ ...restored, mostPartitions: 7 })).rejects.toThrow('activity.v1 had 24 partitions');
    // Broken off and done again it comes to the same.
    await afterRestore(restored);
    expect(await afterRestore(restored)).toEqual({ epoch: expect.any(Number) as number, messages });
    pipeline = startPipeline(suite, [seeing(group)]);
    await count(suite.store, 'maya', 25);
    await pipeline.idle();
    expect(await numbersSeen()).toEqual(seen);
  },
);
