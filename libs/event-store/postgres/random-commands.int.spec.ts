import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fold } from '../core/decider.ts';
import { contextOf } from '../core/stream.ts';
import { jar, type JarCommand, type JarEvent, jars, note, somebody } from '../testing/jars.ts';
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
const jarOf = ({ person, jar: which }: Asked): string => `${names[person]}-${which}`;
const jarIds = names.flatMap((name) => ['one', 'other'].map((which) => `${name}-${which}`));
const codeOf = (error: unknown): unknown => (error as { code: unknown }).code;

/** The answer to each command, and the content of each jar's stream in the end. */
type Ends = {
  readonly answers: readonly unknown[];
  readonly streams: readonly { type: string; version: number; data: object }[][];
};

/** The store's answers to commands that arrive at the same time; each person's commands keep their order. */
async function endsTogether(all: readonly Asked[]): Promise<Ends> {
  const { orgId } = somebody();
  const members = names.map(() => somebody({ orgId }));
  const ask = (asked: Asked): Promise<unknown> => {
    const me = members[asked.person] ?? somebody();
    const id = jarOf(asked);
    const work = bank.store.sharedTransaction(
      me,
      async (unit) => (await unit.handle(jars, id, { ...asked.command, jarId: id }, note)).version,
      asked.request ? { owner: me.actorId, ...asked.request } : undefined,
    );
    return work.catch(codeOf);
  };
  const answers = await Promise.all(all.map(ask));
  const streams = await Promise.all(jarIds.map((id) => bank.store.read(orgId, jars, id)));
  return {
    answers,
    streams: streams.map((events) => events.map(({ type, version, data }) => ({ type, version, data }))),
  };
}

/** The decider's answers to the same commands one at a time, with each key answered once. */
function endsOneByOne(all: readonly Asked[]): Ends {
  const streams = new Map<string, readonly JarEvent[]>(jarIds.map((id) => [id, []]));
  const kept = new Map<string, { readonly bodyHash: string; readonly version: number }>();
  const decide = (id: string, command: JarCommand): number => {
    const before = streams.get(id) ?? [];
    const after = before.concat(jar.decide({ ...command, jarId: id }, fold(jar, before), contextOf(somebody())));
    streams.set(id, after);
    return after.length;
  };
  const answers = all.map((asked): unknown => {
    const { person, command, request } = asked;
    const key = request && `${person} ${request.key}`;
    const earlier = key ? kept.get(key) : undefined;
    if (earlier) return earlier.bodyHash === request?.bodyHash ? earlier.version : 'idempotency/key-reused';
    try {
      const version = decide(jarOf(asked), command);
      if (key) kept.set(key, { bodyHash: request.bodyHash, version });
      return version;
    } catch (error) {
      return codeOf(error);
    }
  });
  return {
    answers,
    streams: jarIds.map((id) =>
      (streams.get(id) ?? []).map(({ type, data }, nth) => ({ type, version: nth + 1, data })),
    ),
  };
}

test('[I1] 10,000 commands that share transactions end as they do one at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 250, maxLength: 250 }), async (all) => {
      expect(await endsTogether(all)).toEqual(endsOneByOne(all));
    }),
    { numRuns: 40 },
  );
  const [row] = await bank.asOwner<{ shared: number }>(
    `select count(*)::integer as shared from (
       select from es.events group by xmin::text having count(distinct partition_key) > 1) t`,
  );
  expect(row?.shared, 'transactions that several shared').toBeGreaterThan(100);
}, 120_000);
