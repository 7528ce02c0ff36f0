import { eventually } from '@caravan/event-store/testing/eventually';
import { topics } from '@caravan/contracts/events/topics';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { redrive } from './redrive.ts';
import { count, faultsOf, readLogged, noFaults, seeingExcept, seenBy } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { parkedRows } from '../testing/deliver.ts';
import { envelope } from '../testing/envelope.ts';
import { follow } from '../testing/listener.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const group = 'one-by-one';
let refused: Set<number>;
let suite: Suite;
let pipeline: Pipeline;

beforeEach(async () => {
  refused = new Set([13]);
  suite = await openSuite(testServers().kafka[0] ?? '');
  pipeline = startPipeline(suite, [seeingExcept(group, refused)]);
});
afterEach(async () => {
  await pipeline.stop();
  await suite.close();
});

const positionsSeen = async () => (await seenBy(suite.owner, group)).map(({ position }) => position);
const again = (options: { key?: string; discard?: number[] } = {}) =>
  redrive({ pool: suite.pool, groups: pipeline.groups, group, ...options });

describe('a parked key', () => {
  test('stands still while other keys flow, and goes on in order once its message can be applied', async () => {
    for (const n of [11, 12, 13, 14, 15]) await count(suite.store, 'maya', n);
    await count(suite.store, 'omar', 13 + 100);
    await pipeline.idle();
    expect(await positionsSeen()).toEqual(expect.arrayContaining([1, 2, 6]));
    expect(await parkedRows(suite.pool)).toMatchObject([
      { key: 'maya', n: 13, errorCode: 'counting/refused', attempts: 2 },
      { key: 'maya', n: 14, errorCode: 'key/parked' },
      { key: 'maya', n: 15 },
    ]);

    expect(await again()).toMatchObject({ applied: 0, stillParked: [{ key: 'maya', code: 'counting/refused' }] });
    expect(await parkedRows(suite.pool)).toMatchObject([{ attempts: 3 }, {}, {}]);

    refused.clear();
    expect(await again({ key: 'maya' })).toEqual({ applied: 3, discarded: 0, stillParked: [] });
    await count(suite.store, 'maya', 16);
    await pipeline.idle();
    expect(await parkedRows(suite.pool)).toEqual([]);
    expect(faultsOf(await readLogged(suite.pool), await seenBy(suite.owner, group))).toEqual(noFaults);
  });

  test('goes on without a message that is given up', async () => {
    for (const n of [12, 13, 14]) await count(suite.store, 'maya', n);
    await pipeline.idle();
    const { rows } = await suite.pool.query<{ parkedId: number }>(
      'select parked_id from msg.parked order by 1 limit 1',
    );
    expect(await again({ discard: rows.map(({ parkedId }) => parkedId) })).toMatchObject({
      applied: 1,
      discarded: 1,
    });
    expect(await positionsSeen()).toEqual([1, 3]);
  });

  test('can be redriven while its messages keep coming, and none is lost, repeated or overtaken', async () => {
    const writing = (async () => {
      for (let n = 1; n <= 300; n += 1) await count(suite.store, 'maya', n);
    })();
    await eventually(async () => expect((await parkedRows(suite.pool)).length).toBeGreaterThan(10));
    refused.clear();
    await again();
    await writing;
    await pipeline.idle();
    await again();
    expect(faultsOf(await readLogged(suite.pool), await seenBy(suite.owner, group))).toEqual(noFaults);
  });

  test('can be watched on the dead-letter topic of its group, where nothing of what it says stands', async () => {
    const heard: string[] = [];
    const values: string[] = [];
    await suite.kafka.ensureTopics([topics.activity]);
    await suite.kafka.send(topics.activity.name, [{ key: 'maya', value: envelope('maya', 13) }]);
    await pipeline.idle();
    const watching = await follow(suite.kafka, `${group}.dlq`, ({ key, value, headers }) => {
      values.push(String(value));
      heard.push(`${key} ${headers['parked-code'] ?? ''}`);
    });
    await eventually(() => expect(heard).toEqual(['maya counting/refused']));
    expect(values.map((value) => JSON.parse(value) as object)).toEqual([
      { parkedId: 1, from: expect.any(String), type: 'Counted', position: 13, code: 'counting/refused' },
    ]);
    await watching.stop();
  });
});
