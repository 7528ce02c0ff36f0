import { createGeneration } from '@caravan/event-store/rebuild/generation';
import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import { replayBetween } from '@caravan/event-store/rebuild/rebuild';
import { copyOut } from '../copy-out.ts';
import { judge, type Finding } from '../harness.ts';
import { runTimed } from '../progress.ts';
import type { Product } from '../product.ts';
import { asOwner, ownerUrl } from '../seeding/databases.ts';
import { kindsOf, rebuildables, rebuildOne, type Rebuildable } from '../seeding/rebuilding.ts';
import { grownWorld, largestOf, type World } from '../seeding/world.ts';
import { wrk } from '../wrk.ts';

const oneByOneEvents = 2_000;

type Rates = {
  readonly name: string;
  readonly perSecond: number;
  readonly ofCopy: number;
  readonly ofOneByOne: number;
};

/** G8: against copying the log out and against one event at a time. */
export async function rebuilding(): Promise<Finding[]> {
  const world = await grownWorld();
  const found = await ratesOf(world, ({ service }) => service === 'scoring');
  const { founder } = largestOf(world).place;
  const kept = await runTimed('boards are read meanwhile', () => liveShare(world.product, founder.token));
  return [...judgeRates(found), kept];
}

/** Those of identity and activity, which are faster than scoring's. */
export async function rebuildingOthers(): Promise<Finding[]> {
  return judgeRates(await ratesOf(await grownWorld(), ({ service }) => service !== 'scoring'));
}

async function ratesOf(world: World, isAsked: (rebuildable: Rebuildable) => boolean): Promise<Rates[]> {
  const { product } = world;
  const { size } = largestOf(world);
  const found: Rates[] = [];
  const logs = new Map<string, number>();
  for (const rebuildable of rebuildables().filter(isAsked)) {
    const { service, projection } = rebuildable;
    const copied =
      logs.get(service) ?? (await runTimed(`the log of ${service} is copied out`, () => copyRate(product, service)));
    logs.set(service, copied);
    const startedAt = performance.now();
    const { events } = await runTimed(`${projection.name} is rebuilt`, () => rebuildOne(product, rebuildable));
    const perSecond = events / ((performance.now() - startedAt) / 1000);
    // A rebuild of a short log says nothing about its rate.
    if (events < size / 2) continue;
    const single = await runTimed('… and one event at a time', () => oneByOneRate(product, rebuildable));
    found.push({ name: projection.name, perSecond, ofCopy: perSecond / copied, ofOneByOne: perSecond / single });
  }
  return found;
}

function judgeRates(found: readonly Rates[]): Finding[] {
  const [slowest] = found.toSorted((a, b) => a.perSecond - b.perSecond);
  if (!slowest) throw new Error('There is no log worth rebuilding from');
  const round = (value: number) => Math.round(value).toLocaleString('en');
  const rates = found.map(({ name, perSecond }) => `${name} ${round(perSecond)}`).join(', ');
  const least = (of: (rates: Rates) => number) => Math.min(...found.map(of));
  return [
    judge({
      goal: 'G8',
      what: `share of the rate of copying the log out that the slowest rebuild keeps (events a second: ${rates})`,
      value: least(({ ofCopy }) => ofCopy) * 100,
      wanted: { atLeast: 15 },
      unit: ' %',
    }),
    judge({
      goal: 'G8',
      what: 'a rebuild against one event at a time, the least of all projections',
      value: least(({ ofOneByOne }) => ofOneByOne),
      wanted: { atLeast: 25 },
      unit: '×',
    }),
    judge({
      goal: 'G8',
      what: `time for 1,000,000 events of the slowest (${slowest.name})`,
      value: 1_000_000 / slowest.perSecond,
      wanted: { atMost: 10 },
      unit: ' s',
    }),
  ];
}

/** Events a second of the plainest way to read a log. */
async function copyRate(product: Product, service: Rebuildable['service']): Promise<number> {
  const [row] = await asOwner(product, service, (tx) => tx.query('select count(*)::int as count from es.events'));
  const { count } = row as { count: number };
  const startedAt = performance.now();
  await copyOut(ownerUrl(product, service), 'select * from es.events order by pos');
  return count / ((performance.now() - startedAt) / 1000);
}

/** Each event in a transaction of its own, into empty tables beside the live ones. */
async function oneByOneRate(product: Product, { service, projection }: Rebuildable): Promise<number> {
  const schema = 'bench_one_by_one';
  const pool = createPatientPool(ownerUrl(product, service), { max: 2 });
  const kinds = kindsOf[service].filter(({ projections }) => (projections as readonly object[]).includes(projection));
  try {
    await withSystem(pool, (tx) => createGeneration(tx, schema, projection.tables));
    const categories = kinds.map(({ decider }) => decider.category);
    const [row] = await asOwner(product, service, (tx) =>
      tx.query(
        `select max(pos)::int as until from (
           select pos from es.events where category = any($1) order by pos limit ${oneByOneEvents}) e`,
        [categories],
      ),
    );
    const { until } = row as { until: number };
    const startedAt = performance.now();
    const events = await replayBetween(pool, { projection, kinds, schema, batchSize: 1 }, { after: 0, until });
    return events / ((performance.now() - startedAt) / 1000);
  } finally {
    await pool.query(`drop schema if exists ${schema} cascade`);
    await pool.end();
  }
}

async function liveShare(product: Product, token: string): Promise<Finding> {
  const reading = (seconds: number) =>
    wrk({ url: `${product.url}/api/me`, connections: 4, seconds, headers: { authorization: `Bearer ${token}` } });
  // Reads the whole log, as the others do, and is over soon.
  const rebuildable = rebuildables().find(({ projection }) => projection.name === 'pending-claim-reviews');
  if (!rebuildable) throw new Error('There are no pending-claim-reviews');
  const alone = await reading(4);
  const rebuilt = rebuildOne(product, rebuildable);
  const beside = await reading(4);
  await rebuilt;
  return judge({
    goal: 'G8',
    what: `requests a second that are left to readers of /api/me during a rebuild (${Math.round(beside.requestsPerSecond)} of ${Math.round(alone.requestsPerSecond)})`,
    value: (beside.requestsPerSecond / alone.requestsPerSecond) * 100,
    wanted: { atLeast: 70 },
    unit: ' %',
  });
}
