import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { personKey } from '@caravan/contracts/events/fact-key';
import { topics } from '@caravan/contracts/events/topics';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { publicHistory } from '@caravan/event-store/rebuild/public-history';
import { eventually } from '@caravan/event-store/testing/eventually';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Kafka } from '../kafka/kafka-port.ts';
import type { ReadModel } from '../consumer/read-model.ts';
import { beginRebuild, finishRebuild, type RebuildTools } from './rebuild-read-model.ts';
import { republish } from '../relay/republish.ts';
import { count, counting, faultsOf, readLogged, noFaults, orgId, seeing, seenBy } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { follow } from '../testing/listener.ts';
import { silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const group = 'one-by-one';
const model: ReadModel = { name: 'seen', tables: ['seen'], groups: [group] };
const keys = ['maya', 'omar', 'ines', 'bo'];
let suite: Suite;
let pipeline: Pipeline;
let ownerUrl: string;
let tools: RebuildTools;

beforeEach(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  pipeline = startPipeline(suite, [seeing(group), seeing('others')]);
  ownerUrl = String(suite.owner.options.connectionString);
  tools = { service: 'activity', databaseUrl: ownerUrl, kafka: suite.kafka, log: silent, groups: pipeline.groups };
});
afterEach(async () => {
  await pipeline.stop();
  await suite.close();
});

/** Of each key in order, and of all keys side by side. */
const write = (from: number, until: number) =>
  Promise.all(
    keys.map(async (key, nth) => {
      for (let n = from; n <= until; n += 1) if (n % keys.length === nth) await count(suite.store, key, n);
    }),
  );
const publish = (n: number, key: string, isKept = true) =>
  suite.store.transaction({ orgId, actorId: null, at: new Date(), key: personKey(key) }, (unit) =>
    unit.publish({ type: 'Counted', version: 1, data: { n }, isKept }),
  );
const replayTo = (
  topic: string,
  kafka: Pick<Kafka, 'send' | 'ensureTopics' | 'endOffsets'> = suite.kafka,
  batchSize = 20,
) =>
  republish({
    service: 'activity',
    databaseUrl: ownerUrl,
    history: [publicHistory(counting)],
    kafka,
    topic,
    batchSize,
  });

/** Everything that left the service, by log or by itself. */
async function truth() {
  const { rows } = await withSystem(suite.pool, (tx) =>
    tx.query<{ key: string; position: number }>('select partition_key as key, pos as position from es.published'),
  );
  return [...(await readLogged(suite.pool)), ...rows];
}

async function begin(): Promise<string> {
  const [replay] = await beginRebuild(tools, model);
  return replay?.topic ?? '';
}

describe('the history of a service', () => {
  test('[D49] is published again as it was, in order per key, by what the log and published facts hold, and goes on after a crash', async () => {
    await write(1, 60);
    await publish(61, 'maya');
    // Told once: whoever hears of it keeps it.
    await publish(1_000, 'maya', false);
    await write(62, 90);
    const topic = await begin();
    // Kafka is lost after a batch was sent and before that was written down.
    let sends = 0;
    const dying: typeof suite.kafka = {
      ...suite.kafka,
      send: async (to, messages) => {
        await suite.kafka.send(to, messages);
        if ((sends += 1) === 2) throw new Error('the process dies here');
      },
    };
    await expect(replayTo(topic, dying)).rejects.toThrow('dies here');
    await write(91, 95);
    await replayTo(topic);

    const told: { id: string; key: string; position: number; at: number }[] = [];
    const following = await follow(suite.kafka, topic, ({ value }) => {
      const { id, key, position } = JSON.parse(String(value)) as (typeof told)[number];
      told.push({ id, key, position, at: told.length });
    });
    const live: typeof told = [];
    const listening = await follow(suite.kafka, topics.activity.name, ({ value }) => {
      const { id, key, position } = JSON.parse(String(value)) as (typeof told)[number];
      live.push({ id, key, position, at: 0 });
    });
    await eventually(() => expect(new Set(told.map(({ id }) => id)).size).toBe(90));
    await eventually(() => expect(live.length).toBeGreaterThanOrEqual(96));
    const idOf = new Map(live.map(({ position, id }) => [position, id]));
    expect(told.filter(({ position, id }) => idOf.get(position) !== id)).toEqual([]);
    // One batch came twice, as a whole: whoever drops what is not beyond the last position sees each once and in order.
    const last = new Map<string, number>();
    const fresh = told.filter(({ key, position }) => position > (last.get(key) ?? 0) && last.set(key, position));
    expect(fresh).toHaveLength(90);
    expect(told).toHaveLength(110);
    await Promise.all([following.stop(), listening.stop()]);
  });
});

describe('a read model of consumers', () => {
  test('[D49 I1] is the same as the one that lived through it, while more is written and its process is killed in the middle', async () => {
    await write(1, 2_000);
    await publish(2_001, 'omar');
    await pipeline.idle();
    await suite.owner.query(
      `delete from seen where n % 3 = 0; update seen set n = 0 where consumer_group = '${group}'`,
    );
    const others = await seenBy(suite.owner, 'others');
    const topic = await begin();
    const isWriting = write(2_002, 2_600);
    await replayTo(topic, suite.kafka, 500);
    expect(await begin()).toBe(topic);

    const child = startFinishing(ownerUrl);
    await eventually(async () => expect(await countReplayed()).toBeGreaterThan(0));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await seenBy(suite.owner, group)).length).toBeLessThan(2_600);
    const { generation } = await finishRebuild(tools, model);
    await isWriting;
    await pipeline.idle();

    expect(generation).toBe(1);
    expect(faultsOf(await truth(), await seenBy(suite.owner, group))).toEqual(noFaults);
    const { rows } = await suite.owner.query(`select 1 from seen where consumer_group = $1 and n = 0`, [group]);
    expect(rows).toEqual([]);
    // Nobody else has heard of it, and nothing of it is left.
    expect((await seenBy(suite.owner, 'others')).length).toBeLessThanOrEqual(others.length + 600);
    const left = await suite.owner.query(
      `select consumer_group from msg.offsets where consumer_group like '%rebuild%' union all
       select consumer_group from msg.applied where consumer_group like '%rebuild%' union all
       select nspname from pg_namespace where nspname like 'rebuild%'`,
    );
    expect(left.rows).toEqual([]);
  });

  test('[D49 I1] hears nothing twice from a consumer of the rebuild that joins only after the switch', async () => {
    await write(1, 20);
    await pipeline.idle();
    await replayTo(await begin());
    const isOver = Promise.withResolvers<undefined>();
    const consume: Kafka['consume'] = async (name, names, events) => {
      if (!names.includes(topics.activity.name)) return suite.kafka.consume(name, names, events);
      await eventually(async () => {
        expect(await suite.owner.query(`select from es.projections where name = 'seen'`)).toMatchObject({
          rowCount: 1,
        });
      });
      const running = await suite.kafka.consume(name, names, {
        ...events,
        onBatch: (batch) => events.onBatch(batch).finally(() => isOver.resolve(undefined)),
      });
      return { ...running, stop: () => running.stop().finally(() => isOver.resolve(undefined)) };
    };
    // As slow a broker as it takes for that consumer to read something, unless it is stopped before.
    const deleteTopics: Kafka['deleteTopics'] = async (names) => {
      await isOver.promise;
      return suite.kafka.deleteTopics(names);
    };
    await finishRebuild({ ...tools, kafka: { ...suite.kafka, consume, deleteTopics } }, model);
    expect(faultsOf(await truth(), await seenBy(suite.owner, group))).toEqual(noFaults);
  });

  test('is not switched to before the history is told to its end, nor after its tables were migrated', async () => {
    await write(1, 20);
    await pipeline.idle();
    const topic = await begin();
    await expect(finishRebuild(tools, model)).rejects.toThrow(`activity has not published all of ${topic}`);
    await replayTo(topic);
    await suite.owner.query('alter table seen add column note text');
    await expect(finishRebuild(tools, model)).rejects.toThrow('begin it again');
    expect(await begin()).not.toBe(topic);
    expect(await seenBy(suite.owner, group)).toHaveLength(20);
  });
});

const countReplayed = async (): Promise<number> => {
  const { rows } = await suite.owner.query<{ sum: number }>(
    `select coalesce(sum(next_offset), 0)::int as sum from msg.progress where consumer_group like '%rebuild%' and topic like '%replay%'`,
  );
  return rows[0]?.sum ?? 0;
};

function startFinishing(databaseUrl: string): ChildProcess {
  const script = resolve(import.meta.dirname, '../testing/rebuild-process.ts');
  const address = { ...suite.address, databaseUrl };
  return spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(address)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
