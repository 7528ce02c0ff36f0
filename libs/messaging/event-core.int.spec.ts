import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { groupsOf } from './groups.ts';
import { type Broker, startBroker } from './testing/broker.ts';
import { count, faultsOf, logged, noFaults, seeing, seeingTogether, seenBy } from './testing/counting.ts';
import { openSuite, type Suite } from './testing/suite.ts';
import { startVictim, type Victim } from './testing/victims.ts';
import { topicsOf } from './topics-of.ts';

const groups = groupsOf([seeing('one-by-one'), seeingTogether('together')]);
const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);

let broker: Broker;
let suite: Suite;

beforeAll(async () => {
  broker = await startBroker();
});
afterAll(() => broker.close());

describe('the event core under fire', () => {
  let crew: Victim[] = [];

  beforeAll(async () => {
    suite = await openSuite(broker.address);
    await suite.kafka.ensureTopics(groups.flatMap(topicsOf));
  });
  afterAll(async () => {
    await Promise.all(crew.map((victim) => victim.kill()));
    await suite.close();
  });

  test('every event arrives exactly once and in order per key, whoever is killed', async () => {
    const start = Date.now();
    crew = await Promise.all(
      (['relay', 'relay', 'consumers', 'consumers'] as const).map((role) => startVictim(role, suite.address)),
    );
    const writing = write(suite, { events: 20_000, writers: 16 });
    await Promise.all([writing, killAtRandom(crew, writing)]);
    console.log('written and killed', Date.now() - start);
    const truth = await logged(suite.pool);
    expect(truth.length).toBeGreaterThanOrEqual(20_000);
    await vi.waitFor(
      async () => {
        for (const { name } of groups)
          expect((await seenBy(suite.owner, name)).length).toBeGreaterThanOrEqual(truth.length);
      },
      { timeout: 60_000, interval: 250 },
    );
    console.log('drained', Date.now() - start);
    for (const { name } of groups) expect(faultsOf(truth, await seenBy(suite.owner, name))).toEqual(noFaults);
  }, 120_000);
});

/** Appends one or five events at a time; a writer whose connection is shot goes on, its outcome unknown to it. */
async function write({ store }: Suite, { events, writers }: { events: number; writers: number }): Promise<void> {
  let left = events;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (left > 0) {
        const numbers = Math.random() < 0.5 ? [1] : [1, 2, 3, 4, 5];
        const key = keys[Math.floor(Math.random() * keys.length)] ?? '';
        const isWritten = await count(store, key, ...numbers).then(
          () => true,
          () => false,
        );
        if (isWritten) left -= numbers.length;
      }
    }),
  );
}

/** Until the writing ends: processes by SIGKILL, database connections from inside, the broker once. */
async function killAtRandom(crew: Victim[], writing: Promise<void>): Promise<void> {
  const over = new AbortController();
  void writing.finally(() => over.abort());
  const executioner = suite.newPool(1);
  for (let rounds = 1; rounds <= 8 || !over.signal.aborted; rounds += 1) {
    await sleep(300 + Math.random() * 300);
    const index = rounds % crew.length;
    await crew[index]?.kill();
    crew[index] = await startVictim(index < 2 ? 'relay' : 'consumers', suite.address);
    await executioner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid() order by random() limit 3`,
    );
    if (rounds === 4) {
      await broker.kill();
      await broker.restart();
    }
  }
}
