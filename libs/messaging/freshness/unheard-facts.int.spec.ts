import { publicEvent } from '@caravan/contracts/events/envelope';
import { organisationKey, personKey } from '@caravan/contracts/events/fact-key';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Consumed, groupsOf, type Handler } from '../consumer/consumer.ts';
import { Positions } from './positions.ts';
import { count, counted, orgId, seeing } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const ended = publicEvent('Ended', 1, z.object({ n: z.number().int() }));
const group = 'rare';
const keys = Array.from({ length: 40 }, (_, nth) => `walker-${nth}`);

let suite: Suite;
let pipeline: Pipeline | undefined;

beforeEach(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
});
afterEach(async () => {
  await pipeline?.stop();
  await suite.close();
});

/** Takes what is rare only, which is keyed by the organisation. */
const hearing = (isAwaited: boolean): Handler => ({
  subscription: { group, from: 'activity', contract: ended, isAwaited },
  handle: (event, { tx }) =>
    tx.query('insert into seen (consumer_group, key, position, n) values ($1, $2, $3, $4)', [
      group,
      event.key,
      event.position,
      (event as Consumed<typeof ended>).data.n,
    ]),
});

const end = (n: number) =>
  suite.store.transaction({ orgId, actorId: null, at: new Date(), key: organisationKey(orgId) }, (unit) =>
    unit.publish({ type: ended.type, version: 1, data: { n }, isKept: false }),
  );

const countAll = async () => {
  for (const [nth, key] of keys.entries()) await count(suite.store, key, nth);
};

const readSeen = async () =>
  (
    await suite.owner.query<{ n: number }>(`select n from seen where consumer_group = '${group}' order by seen_id`)
  ).rows.map(({ n }) => n);
const keysApplied = async () =>
  (
    await suite.owner.query<{ key: string }>(
      `select m ->> 0 as key from msg.progress, json_array_elements(received -> 1) as m where consumer_group = '${group}'`,
    )
  ).rows.map(({ key }) => key);
const partitionsRecorded = async () =>
  (await suite.owner.query(`select distinct partition_id from msg.progress where consumer_group = '${group}'`))
    .rowCount;

test('messages that a group does not handle leave no row, and its partition is read to the end', async () => {
  pipeline = startPipeline(suite, [hearing(false)], { settings: { recordPassedAfterMs: 50 } });
  await end(1);
  await countAll();
  await pipeline.idle();
  expect(await keysApplied()).toEqual([orgId]);
  await end(2);
  await pipeline.idle();
  expect(await readSeen()).toEqual([1, 2]);
});

test('a group that others wait for stores the position of each message that it does not handle', async () => {
  pipeline = startPipeline(suite, [hearing(true)]);
  await countAll();
  await pipeline.idle();
  expect((await keysApplied()).toSorted()).toEqual(keys.toSorted());
});

test('[F02] whoever dies before it is recorded reads it again, and does nothing twice', async () => {
  pipeline = startPipeline(suite, [hearing(false), seeing('all')], { settings: { recordPassedAfterMs: 3_600_000 } });
  await end(1);
  await countAll();
  await end(2);
  await expect.poll(readSeen).toEqual([1, 2]);
  await expect
    .poll(async () => (await suite.owner.query("select from seen where consumer_group = 'all'")).rowCount)
    .toBe(40);
  // There was no transaction for any other partition.
  expect(await partitionsRecorded()).toBe(1);
  await pipeline.stop();
  pipeline = startPipeline(suite, [hearing(false), seeing('all')], { settings: { recordPassedAfterMs: 20 } });
  await end(3);
  await pipeline.idle();
  expect(await readSeen()).toEqual([1, 2, 3]);
});

test('a reader does not wait for messages that a group does not handle', async () => {
  const positions = new Positions({ service: 'social', pool: suite.pool });
  positions.follow(groupsOf([hearing(false)]));
  const reader = { userId: 'walker-1', orgId };
  expect(await positions.waitFor({ activity: { epoch: 0, position: 9 } }, reader, 0)).toEqual([]);
  positions.follow(
    groupsOf([hearing(false), { ...hearing(false), subscription: { group, from: 'activity', contract: counted } }]),
  );
  expect(await positions.waitFor({ activity: { epoch: 0, position: 9 } }, reader, 0)).toEqual(['activity']);
});

test('positions have rows of their own for causes that a group reflects, and for nothing else', async () => {
  const reflecting = seeing('reflecting');
  const subscription = { ...reflecting.subscription, reflects: ['scoring' as const] };
  pipeline = startPipeline(suite, [seeing('all'), { ...reflecting, subscription }]);
  const causes = { scoring: { epoch: 0, position: 9 } };
  const key = personKey('maya');
  await suite.store.transaction({ orgId, actorId: null, at: new Date(), key, causes }, (unit) =>
    unit.publish({ type: counted.type, version: 1, data: { n: 1 }, isKept: false }),
  );
  await pipeline.idle();
  const { rows } = await suite.owner.query('select consumer_group as group, service from msg.applied order by 1, 2');
  expect(rows).toEqual([{ group: 'reflecting', service: 'scoring' }]);
});
