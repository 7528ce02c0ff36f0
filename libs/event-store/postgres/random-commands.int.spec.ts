import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventStore } from '../core/event-store.ts';
import { createInMemoryEventStore } from '../testing/in-memory-event-store.ts';
import { jars, type JarCommand, note, somebody } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
beforeAll(async () => {
  bank = await openPiggyBank();
});
afterAll(() => bank.close());

const people = 12;
const command: fc.Arbitrary<JarCommand> = fc.oneof(
  fc.constant({ do: 'open' } as const),
  fc.record({ do: fc.constant('add' as const), coins: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('fill' as const), coins: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ do: 'seal' } as const),
);
const asked = fc.record({
  person: fc.nat({ max: people - 1 }),
  jar: fc.constantFrom('one', 'other'),
  command,
  /** The same key comes again, sometimes with another body. */
  request: fc.option(
    fc.record({ key: fc.constantFrom('k', 'l'), bodyHash: fc.constantFrom('same', 'same', 'another') }),
  ),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

const names = Array.from({ length: people }, (_, nth) => `person-${nth}`);

/** What each was answered, and what each person's jars are in the end. Each person asks in order. */
async function ends(
  transaction: EventStore['transaction'],
  read: EventStore['read'],
  all: readonly Asked[],
  isTogether: boolean,
) {
  const { orgId } = somebody();
  const members = names.map(() => somebody({ orgId }));
  const ask = async ({ person, jar, command: what, request }: Asked): Promise<unknown> => {
    const me = members[person] ?? somebody();
    const id = `${names[person]}-${jar}`;
    const work = transaction(
      me,
      async (unit) => (await unit.handle(jars, id, { ...what, jarId: id }, note)).version,
      request ? { owner: me.actorId, ...request } : undefined,
    );
    return work.catch((error: unknown) => (error as { code: unknown }).code);
  };
  const answers: unknown[] = [];
  if (isTogether) answers.push(...(await Promise.all(all.map(ask))));
  else for (const one of all) answers.push(await ask(one));
  const streams = await Promise.all(
    names.flatMap((name) => ['one', 'other'].map((jar) => read(orgId, jars, `${name}-${jar}`))),
  );
  return {
    answers,
    streams: streams.map((events) => events.map(({ type, version, data }) => ({ type, version, data }))),
  };
}

test('[I1] 10,000 commands that share transactions end as they do one at a time', async () => {
  const memory = createInMemoryEventStore({ service: 'piggy-bank' });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 250, maxLength: 250 }), async (all) => {
      const shared = await ends(bank.store.sharedTransaction, bank.store.read, all, true);
      expect(shared).toEqual(await ends(memory.transaction, memory.read, all, false));
    }),
    { numRuns: 40 },
  );
  const [row] = await bank.asOwner<{ shared: number }>(
    `select count(*)::integer as shared from (
       select from es.events group by xmin::text having count(distinct partition_key) > 1) t`,
  );
  expect(row?.shared, 'transactions that several shared').toBeGreaterThan(100);
}, 120_000);
