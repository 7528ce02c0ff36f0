import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Projection } from './projection.ts';
import { jars, jarTables, jarTotals, type JarEvent } from './testing/jars.ts';
import { rebuiltBothWays, type LoggedEvent } from './testing/rebuilt-both-ways.ts';

const ran: string[] = [];

// Sums do not care for order, the last position does.
const totalsInBulk = (coins: string) => `
  insert into jar_totals (org_id, jar_id, coins, last_position)
  select org_id, data->>'jarId', ${coins}, max(pos) from stretch group by 1, 2
  on conflict (org_id, jar_id) do update set coins = jar_totals.coins + excluded.coins, last_position = excluded.last_position`;
const projection: Projection<JarEvent> = {
  ...jarTotals,
  on: {
    ...jarTotals.on,
    CoinsAdded: (event) => {
      ran.push(event.type);
      return jarTotals.on.CoinsAdded === 'ignored' ? [] : jarTotals.on.CoinsAdded(event);
    },
  },
  inBulk: {
    CoinsAdded: [
      totalsInBulk(`sum((data->>'coins')::int)`),
      `insert into jar_entries (org_id, event_id, jar_id, coins, added_at, added_by)
       select org_id, event_id, data->>'jarId', (data->>'coins')::int, recorded_at, actor_id from stretch`,
    ],
  },
};

const orgs = [randomUUID(), randomUUID()];
const event = fc.record({
  orgId: fc.constantFrom(...orgs),
  category: fc.constant('jar'),
  type: fc.constantFrom('JarOpened', 'CoinsAdded', 'CoinsAdded', 'CoinsAdded', 'JarSealed'),
  data: fc.record({ jarId: fc.constantFrom('a', 'b'), coins: fc.nat({ max: 9 }) }),
});
const plan = {
  folders: [`${import.meta.dirname}/migrations`],
  before: jarTables,
  kinds: [jars],
  // Surrogate numbers are given anew.
  columns: { jar_entries: 'org_id, event_id, jar_id, coins, added_at, added_by' },
};

test('[I1] a log rebuilt in bulk leaves the rows that it leaves event by event', async () => {
  const opened: LoggedEvent[] = orgs.flatMap((orgId) =>
    ['a', 'b'].map((jarId) => ({ orgId, category: 'jar', type: 'JarOpened', data: { jarId } })),
  );
  const events = [...opened, ...fc.sample(event, { numRuns: 400, seed: 8 })];
  const { oneByOne, inBulk } = await rebuiltBothWays({ ...plan, projection, events });
  expect(oneByOne[0]).toHaveLength(4);
  expect(oneByOne[1]?.length).toBeGreaterThan(200);
  for (const tables of inBulk) expect(tables).toEqual(oneByOne);
});

test('[I1] events that a projection ignores do not part a stretch, and a long stretch is not taken one by one', async () => {
  const added = (type: string) => ({ orgId: orgs[0] ?? '', category: 'jar', type, data: { jarId: 'a', coins: 1 } });
  const events = Array.from({ length: 300 }, (_, nth) => added(nth % 2 === 0 ? 'CoinsAdded' : 'JarSealed'));
  ran.length = 0;
  const { inBulk } = await rebuiltBothWays({ ...plan, projection, events });
  // Once for the replay that is one by one, never for the two in bulk.
  expect(ran).toHaveLength(150);
  expect(inBulk[1]?.[1]).toHaveLength(150);
});

test('[I1] events of an older version are lifted, so none of them is taken in bulk', async () => {
  const kinds = [{ ...jars, upcasters: { CoinsAdded: [] } }];
  const events = [{ orgId: orgs[0] ?? '', category: 'jar', type: 'CoinsAdded', data: { jarId: 'a', coins: 1 } }];
  ran.length = 0;
  await rebuiltBothWays({ ...plan, kinds, projection, events });
  expect(ran).toHaveLength(3);
});
