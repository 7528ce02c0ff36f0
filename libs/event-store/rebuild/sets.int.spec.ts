import { randomUUID } from '@caravan/contracts/testing/seeded';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSets } from '../core/projection.ts';
import { jars, jarTables, jarTotals } from '../testing/jars.ts';
import { rebuiltInSets, type LoggedEvent } from '../testing/rebuilt-in-sets.ts';

const orgs = [randomUUID(), randomUUID()];
const event = fc.record({
  orgId: fc.constantFrom(...orgs),
  category: fc.constant('jar'),
  type: fc.constantFrom('JarOpened', 'CoinsAdded', 'CoinsAdded', 'CoinsAdded', 'JarSealed'),
  data: fc.record({ jarId: fc.constantFrom('a', 'b'), coins: fc.nat({ max: 9 }) }),
});
const opened: LoggedEvent[] = orgs.flatMap((orgId) =>
  ['a', 'b'].map((jarId) => ({ orgId, category: 'jar', type: 'JarOpened', data: { jarId } })),
);
const plan = {
  folders: [`${import.meta.dirname}/../migrations`],
  before: jarTables,
  projection: jarTotals,
  events: [...opened, ...fc.sample(event, { numRuns: 400, seed: 8 })],
  // Surrogate numbers are given anew.
  columns: { jar_entries: 'org_id, event_id, jar_id, coins, added_at, added_by' },
};

test('[I1] a log rebuilt in sets leaves the rows that it leaves event by event', async () => {
  const { oneByOne, inSets } = await rebuiltInSets({ ...plan, kinds: [jars] });
  expect(oneByOne[0]).toHaveLength(4);
  expect(oneByOne[1]?.length).toBeGreaterThan(200);
  for (const tables of inSets) expect(tables).toEqual(oneByOne);
});

test('[I1] neighbours that do the same do it together, and nothing overtakes what does something else', () => {
  const of = (text: string, n: number) => ({ text, rows: [{ n }] });
  expect(inSets([[of('a', 1), of('c', 1)], [], [of('a', 2), of('c', 2)], [of('b', 3)], [of('a', 4)]])).toEqual([
    { text: 'a', rows: [{ n: 1 }, { n: 2 }] },
    { text: 'c', rows: [{ n: 1 }, { n: 2 }] },
    { text: 'b', rows: [{ n: 3 }] },
    { text: 'a', rows: [{ n: 4 }] },
  ]);
});
