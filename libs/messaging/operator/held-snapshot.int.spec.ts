import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { personKey } from '@caravan/contracts/events/fact-key';
import { topics } from '@caravan/contracts/events/topics';
import { OldAnswers } from '@caravan/event-store/postgres/idempotency';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { usualBlocks, watchStatements } from '@caravan/service-kit/testing/executed-statements';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyBatch } from '../consumer/apply-batch.ts';
import { groupsOf } from '../consumer/consumer.ts';
import { deadRows, oldestSnapshot } from './held-back.ts';
import { stateOf } from './state-metrics.ts';
import { claimPartitions, type PartitionClaim } from '../consumer/consumer-offsets.ts';
import { Positions } from '../freshness/positions.ts';
import { Relay } from '../relay/relay.ts';
import { orgId, seeingTogether } from '../testing/counting.ts';
import { envelope } from '../testing/envelope.ts';
import { silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const messages = 20_000;
// An index of few rows may grow a level meanwhile, or be met as a page splits, and a burst may leave what it wrote on a few
// pages more. Versions walked over would be hundreds.
const otherPages = 20;
// The newest rows of a partition lie on one page or on as many as they are.
const newestRows = 32;
const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);
const partition = { topic: topics.activity.name, partition: 0 };
const [group] = groupsOf([seeingTogether('together')]);

let suite: Suite;
let relay: Relay;
let answers: OldAnswers;
let claim: PartitionClaim;
let sent = 0;
let position = 0;
let statements: Awaited<ReturnType<typeof watchStatements>>;

beforeAll(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  statements = await watchStatements({ pool: suite.pool, ownerUrl: suite.address.databaseUrl });
  const kafka = {
    ensureTopics: async () => undefined,
    send: async (_: string, batch: readonly unknown[]) => void (sent += batch.length),
  };
  relay = new Relay({ service: 'activity', pool: suite.pool, kafka, log: silent, background: ownBackground() });
  relay.start();
  answers = new OldAnswers(suite.pool);
  const [claimed] = await withSystem(suite.pool, (tx) => claimPartitions(tx, group?.name ?? '', 'me', [partition]));
  if (!claimed) throw new Error('nothing claimed');
  claim = claimed;
});
afterAll(async () => {
  await relay.stop();
  await suite.close();
});

/** Puts so many messages into the outbox by one transaction, and waits until the relay has carried them away. */
async function publish(count: number): Promise<void> {
  const until = sent + count;
  await suite.pool.query(
    `insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
     select nextval('es.events_pos_seq'), es.shard_of(key), key, gen_random_uuid(), gen_random_uuid(), 'Counted', 1,
       '{"n": 1}', '{}', now()
     from generate_series(1, $2::int) nth, lateral (select ($1::text[])[1 + nth % 50] as key offset 0) k`,
    [keys, count],
  );
  relay.notify();
  await eventually(() => expect(sent).toBe(until));
}

/** Applies a batch of one message for each of these keys. */
async function consume(of: readonly string[]): Promise<void> {
  if (!group) throw new Error('no group');
  const batch = of.map((key, nth) => {
    position += 1;
    // Every other one is of a relay that says nothing of it.
    const headers = nth % 2 === 0 ? {} : { watermark: `${nth % 16}:${Math.max(position - 500, 0)}@0` };
    return { key, offset: claim.nextOffset + nth, value: Buffer.from(envelope(key, position)), headers };
  });
  const request = { partitionBatches: [{ claim, messages: batch }], isIsolated: false, attempt: 1 };
  const outcome = await applyBatch({ pool: suite.pool, group, frozenAfterMs: 5_000 }, request);
  claim.nextOffset = outcome.nextOffsets[0] ?? 0;
}

/** So many messages, out of the outbox and into the read models. */
async function flow(count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) await publish(500);
  for (let done = 0; done < count; done += keys.length) await consume(keys);
  await forget(count);
}

const me = { orgId, actorId: null, at: new Date(), key: personKey('me') };

/** A request that is answered for the first time. */
async function answer(): Promise<void> {
  await suite.store.transaction(me, () => Promise.resolve('done'), {
    owner: 'me',
    bodyHash: 'x',
    key: randomUUID(),
  });
}

/** So many answers that are too old, forgotten by the sweep. */
async function forget(count: number): Promise<void> {
  await withSystem(suite.pool, (tx) =>
    tx.query(
      `insert into es.requests (org_id, owner, key, body_hash, answered_at)
       select $1, 'me', gen_random_uuid()::text, 'x', clock_timestamp() - interval '3 days' from generate_series(1, $2::int)`,
      [orgId, count],
    ),
  );
  expect(await answers.forget(messages)).toBe(count);
}

/** A read that waits for a position that nobody has applied yet. */
async function wait(): Promise<void> {
  const positions = new Positions({ service: 'social', pool: suite.pool });
  positions.follow([{ name: group?.name ?? '', follows: new Set(['activity']) }]);
  const min = { activity: { epoch: 9, position: 1 } };
  await positions.waitFor(min, { userId: 'key-7', orgId: 'acme' });
}

const backlog = () =>
  stateOf(
    suite.pool,
    suite.kafka,
    () => [],
    () => relay.allCursors(),
  ).backlog();

const turns = 10;

const inTurns = (work: () => Promise<unknown>) =>
  statements.during(async () => {
    for (let turn = 0; turn < turns; turn += 1) await work();
  });

/** The blocks that a statement of each kind touches. */
async function blocksTouched() {
  const relayed = await inTurns(() => publish(16));
  const counted = await inTurns(backlog);
  const consumed = await inTurns(() => consume(keys.slice(0, 10)));
  const answered = await inTurns(answer);
  const forgotten = await inTurns(() => forget(16));
  const waited = await statements.during(wait);
  return {
    'a look into the outbox': usualBlocks(relayed, 'from es.outbox'),
    'a removal from the outbox': usualBlocks(relayed, 'delete from es.outbox'),
    'the count of what waits': usualBlocks(counted, 'es.outbox'),
    'the claims of a batch': usualBlocks(consumed, 'msg.offsets'),
    'the progress of a batch': usualBlocks(consumed, 'msg.progress_of'),
    'what a batch knows of its keys': usualBlocks(consumed, 'from msg.parked'),
    'the move of a batch': usualBlocks(consumed, 'msg.move_on'),
    'what a batch has applied': usualBlocks(consumed, 'msg.record_applied'),
    'a look for an answer': usualBlocks(answered, 'es.claim_request'),
    'the keeping of an answer': usualBlocks(answered, 'es.keep_answer'),
    'the forgetting of old answers': usualBlocks(forgotten, 'es.forget_answers'),
    'a read that waits': usualBlocks(waited, 'msg.recorded_at'),
    'a read that asks other processes': usualBlocks(waited, 'msg.received_lately'),
  };
}

test('[G13] relay, batches, answers and waiting reads touch no more blocks under a held snapshot of 20,000 messages ago', async () => {
  // Indexes are as deep as they are with such traffic anyway.
  await flow(messages / 4);
  const before = await blocksTouched();
  const holder = await suite.owner.connect();
  try {
    await holder.query(`set application_name = 'a nightly dump'; set idle_in_transaction_session_timeout = 0;
      begin isolation level repeatable read; select 1`);
    await flow(messages);
    const after = await blocksTouched();
    for (const [what, blocks] of Object.entries(after))
      expect(blocks, `${what}: ${JSON.stringify({ before, after })}`).toBeLessThanOrEqual(
        2 * before[what as keyof typeof before] +
          (what === 'a read that asks other processes' ? newestRows : otherPages),
      );

    expect(await oldestSnapshot(suite.pool)).toMatchObject({
      application: 'a nightly dump',
      state: 'idle in transaction',
      ageSeconds: expect.closeTo(30, -2) as number,
    });
    await eventually(async () =>
      expect((await deadRows(suite.pool, 1_000)).map(({ table }) => table)).toContain('es.outbox'),
    );
  } finally {
    holder.release(true);
  }
  expect((await backlog()).rows).toBe(0);
}, 120_000);
