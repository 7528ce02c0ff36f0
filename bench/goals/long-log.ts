import { Client } from '@caravan/event-store/postgres/client';
import { z } from 'zod';
import { longOr } from '../form.ts';
import { type Finding, interleave, judge, median, percentile, round, tell } from '../harness.ts';
import { type Product, runningProduct } from '../product.ts';
import { runTimed } from '../progress.ts';
import { activitySql, appendSql, instantSql } from '../seeding/crowd.ts';
import { asOwner, ownerUrl } from '../seeding/databases.ts';
import { foundPlace } from '../seeding/place.ts';
import { loggingOf } from './logging.ts';

const goal = 'LONG-LOG';
const events = Number(process.env['BENCH_EVENTS'] ?? longOr(5_000_000, 200_000));
const atOnce = 500_000;
const lanes = 2;
/** Their streams and keys are spread over all of the indexes. */
const organisations = 500;
const membersEach = 1_000;
const reads = 400;
const pageEvents = 500;
const rounds = 5;

/** The log of activity with so many events of others: what a log costs, what reading it costs, and what it takes. */
export async function longLog(): Promise<Finding[]> {
  const product = runningProduct();
  const { founder } = await foundPlace(product);
  const log = () => interleave({ log: () => loggingOf(product, founder.token) }, rounds);
  await runTimed(`${atOnce.toLocaleString('en')} events`, () => appendEvents(product, 0, atOnce));
  await settle(product);
  // Programs that have just started are slower, whatever the log holds.
  await log();
  const before = (await log()).log;
  const readBefore = await reading(product);
  const seconds = await countEvents(product);
  const vacuumed = await settle(product);
  const after = (await log()).log;
  const readAfter = await reading(product);
  const { sizes, perEvent } = await sizesOf(product);
  const all = (atOnce + events).toLocaleString('en');
  const grown = (what: string, figure: 'p50' | 'cpu', wanted: number, unit: string) =>
    judge({
      goal,
      wanted: { atMost: wanted },
      unit: '×',
      floorSpread: before.spread(figure),
      what: `${what} beside ${all} events (${round(after.median(figure))} ${unit}; ${round(before.median(figure))} beside ${atOnce.toLocaleString('en')})`,
      value: after.median(figure) / before.median(figure),
    });
  return [
    grown('p50 of a log', 'p50', 1.3, 'ms'),
    grown('CPU of a log and all that follows', 'cpu', 1.15, 'µs'),
    ...(['stream', 'page'] as const).map((kind) =>
      judge({
        goal,
        wanted: { atMost: 2 },
        unit: '×',
        what: `reading ${kind === 'stream' ? 'a stream' : `${pageEvents} events in order`}, anywhere in it (p50 ${round(readAfter[kind].p50)} ms, p99 ${round(readAfter[kind].p99)}; ${round(readBefore[kind].p50)} and ${round(readBefore[kind].p99)})`,
        value: readAfter[kind].p50 / readBefore[kind].p50,
      }),
    ),
    tell({
      goal,
      value: perEvent,
      unit: ' bytes',
      isBetter: 'lower',
      what: `an event takes of tables and indexes (${sizes})`,
    }),
    tell({ goal, what: 'events a second appended in sets', value: events / seconds, isBetter: 'higher' }),
    tell({ goal, what: `vacuum of the log`, value: vacuumed, unit: ' s', isBetter: 'lower' }),
  ];
}

async function countEvents(product: Product): Promise<number> {
  const startedAt = performance.now();
  await runTimed(`${events.toLocaleString('en')} events`, async () => {
    const lane = async (first: number) => {
      for (let from = first; from < atOnce + events; from += lanes * atOnce)
        await appendEvents(product, from, Math.min(atOnce, atOnce + events - from));
    };
    await Promise.all(Array.from({ length: lanes }, (_, nth) => lane((1 + nth) * atOnce)));
  });
  return (performance.now() - startedAt) / 1_000;
}

/** The same for the same number. */
const idSql = (kind: string, number: string) => `md5('${kind} ' || ${number})::uuid`;

/** One log each, as if all of them had moved in turn. */
async function appendEvents(product: Product, from: number, count: number): Promise<void> {
  const data = `jsonb_build_object('logId', log_id, 'userId', user_id, 'teamId', team_id, 'activity', ${activitySql},
    'durationMinutes', 30, 'centimiles', 300, 'multiplier', 1, 'source', 'timer', 'startedAt', ${instantSql('at')},
    'loggedAt', ${instantSql('at')}, 'loggedOn', at::date, 'timeZone', 'UTC', 'coveredCentimiles', null)`;
  const select = `
    select n, org_id, log_id as stream, user_id::text as key, 'MovementLogged' as type, ${data} as data,
      user_id as actor_id, at as recorded_at
    from (
      select n, ${idSql('org', `n % ${organisations}`)} as org_id, ${idSql('team', `n % ${organisations * 2}`)} as team_id,
        ${idSql('user', `n % ${organisations * membersEach}`)} as user_id,
        -- In order of time, as new ids are (UUIDv7).
        (lpad(to_hex(1767225600000 + n), 12, '0') || '70008' || substr(md5('log ' || n), 1, 15))::uuid as log_id,
        '2026-01-01'::timestamptz + n * interval '1 second' as at
      from generate_series(${from}, ${from + count - 1}) n
    ) l`;
  await asOwner(product, 'activity', (tx) => tx.query(appendSql('movement', select)));
}

/** Seconds. Nothing is left for autovacuum while something is measured. */
async function settle(product: Product): Promise<number> {
  return withClient(product, async (client) => {
    const startedAt = performance.now();
    await runTimed('the log is vacuumed', () => client.query('vacuum (analyze) es.events'));
    return (performance.now() - startedAt) / 1_000;
  });
}

type Waits = { readonly p50: number; readonly p99: number };

/** Milliseconds of reads from anywhere: most of it is in no cache where the log is larger than the memory. */
function reading(product: Product): Promise<Record<'stream' | 'page', Waits>> {
  return withClient(product, async (client) => {
    await client.query(`set app.org = 'system'`);
    const { rows } = await client.query<{ pos: number; orgId: string; streamId: string }>(
      `select e.pos::float8 as pos, e.org_id, e.stream_id
       from (select (random() * (select max(pos) from es.events))::bigint as pos from generate_series(1, ${reads})) r
       join lateral (select * from es.events where pos >= r.pos order by pos limit 1) e on true`,
    );
    const waits = async (read: (row: (typeof rows)[number]) => Promise<unknown>): Promise<Waits> => {
      const took: number[] = [];
      for (const row of rows) {
        const from = performance.now();
        await read(row);
        took.push(performance.now() - from);
      }
      return { p50: median(took), p99: percentile(took, 0.99) };
    };
    return {
      stream: await waits(({ orgId: org, streamId: stream }) =>
        client.query({
          name: 'stream',
          text: 'select * from es.events where org_id = $1 and stream_id = $2 order by version',
          values: [org, stream],
        }),
      ),
      page: await waits(({ pos }) =>
        client.query({
          name: 'page',
          text: `select * from es.events where pos > $1 order by pos limit ${pageEvents}`,
          values: [pos],
        }),
      ),
    };
  });
}

const sizeSchema = z.array(z.object({ name: z.string(), bytes: z.coerce.number(), events: z.coerce.number() }));

async function sizesOf(product: Product): Promise<{ sizes: string; perEvent: number }> {
  const found = sizeSchema.parse(
    await asOwner(product, 'activity', (tx) =>
      tx.query(
        `select relname as name, pg_relation_size(c.oid) as bytes, (select count(*) from es.events) as events
         from pg_class c
         where c.oid = 'es.events'::regclass or c.oid in (select indexrelid from pg_index where indrelid = 'es.events'::regclass)`,
      ),
    ),
  );
  const perEvent = found.map(({ name, bytes, events: count }) => ({ name, bytes: bytes / count }));
  return {
    sizes: perEvent.map(({ name, bytes }) => `${name} ${Math.round(bytes)}`).join(', '),
    perEvent: perEvent.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

async function withClient<Answer>(product: Product, work: (client: Client) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: ownerUrl(product, 'activity') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
