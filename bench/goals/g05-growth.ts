import { createRedis } from '@caravan/service-kit/redis';
import { z } from 'zod';
import { growthExponent, interleave, judge, type Finding, type Sample, type Series } from '../harness.ts';
import { say } from '../progress.ts';
import type { Product } from '../product.ts';
import { readingOf } from '../reading.ts';
import { boardKey } from '../seeding/boards.ts';
import { historyPaths, judgedPaths, memberPaths } from './paths.ts';
import type { Place } from '../seeding/place.ts';
import { grownWorld, type World } from '../seeding/world.ts';
import { loggingOf } from './logging.ts';

const rounds = 3;
const mostOfAny = 0.3;

type Sized = World['byMembers'];
type Measure = (place: Place) => Promise<Sample>;
/** What one figure did from the smallest place to the largest. */
type Growing = { readonly name: string; readonly exponent: number; readonly spread: number; readonly told: string };

/** G5: how the cost of pages and logs grows with an organisation, and with a member's own history. */
export async function growth(): Promise<Finding[]> {
  const world = await grownWorld();
  const { product, byMembers, byHistory } = world;
  const pages = (paths: readonly string[], sized: Sized) =>
    inTurn(
      sized,
      paths,
      (path) =>
        async ({ founder }) =>
          readingOf(product, { path: await resolved(product, path, founder), token: founder.token }),
    );
  const ends = [byMembers.at(0), byMembers.at(-1)].filter((place) => place !== undefined);
  const judged = await say('pages by size of the organisation', () => pages(Object.keys(judgedPaths), byMembers));
  const rank = await say('own rank by size of the organisation', () => ownRank(product, byMembers));
  const others = await say('every other page, smallest and largest organisation', () => pages(memberPaths, ends));
  const own = await say('pages by length of the own history', () => pages(historyPaths, byHistory));
  const logging = (sized: Sized) =>
    inTurn(
      sized,
      ['POST /api/log'],
      () =>
        ({ founder }) =>
          loggingOf(product, founder.token),
    );
  const log = await say('logs by size of the organisation', () => logging(byMembers));
  const ownLog = await say('logs by length of the own history', () => logging(byHistory));
  const members = 'with the members of an organisation';
  const history = `with a member's own history`;
  return [
    ...judged.map((found) => finding(found, judgedPaths[found.name] ?? mostOfAny, members)),
    ...rank.map((found) => finding(found, 0.15, members)),
    ...log.map((found) => finding(found, 0.1, members)),
    steepest([...judged, ...others, ...log], members),
    steepest([...own, ...ownLog], history),
  ];
}

/** Every place in turn, figure by figure, so that whatever else the machine does falls on all sizes alike. */
async function inTurn(
  sized: Sized,
  names: readonly string[],
  measureOf: (name: string) => Measure,
): Promise<Growing[]> {
  const found: Growing[] = [];
  for (const name of names) {
    const measure = measureOf(name);
    const variants = Object.fromEntries(sized.map(({ size, place }) => [String(size), () => measure(place)]));
    found.push(growing(name, sized, await interleave(variants, rounds)));
  }
  return found;
}

function growing(name: string, sized: Sized, series: Readonly<Record<string, Series>>): Growing {
  const of = (size: number, figure: string) => series[String(size)]?.median(figure) ?? 0;
  const exponentOf = (figure: string) => growthExponent(sized.map(({ size }) => ({ size, cost: of(size, figure) })));
  const told = sized.map(
    ({ size }) => `${size.toLocaleString('en')}: ${of(size, 'p50').toFixed(2)} ms, ${Math.round(of(size, 'cpu'))} µs`,
  );
  return {
    name,
    exponent: exponentOf('p50'),
    spread: series[String(sized[0]?.size)]?.spread('p50') ?? 0,
    told: `${told.join('; ')}; by CPU ${exponentOf('cpu').toFixed(2)}`,
  };
}

const finding = ({ name, exponent, spread, told }: Growing, atMost: number, by: string): Finding =>
  judge({
    goal: 'G5',
    what: `growth of ${name} ${by} (${told})`,
    value: exponent,
    wanted: { atMost },
    floorSpread: spread,
  });

/** Of many the one that grows most stands for all. */
function steepest(all: readonly Growing[], by: string): Finding {
  const [first, ...rest] = all.toSorted((a, b) => b.exponent - a.exponent);
  if (!first) throw new Error('Nothing was measured');
  const others = rest.map(({ name, exponent }) => `${name} ${exponent.toFixed(2)}`).join(', ');
  const found = finding(first, mostOfAny, `${by}, the steepest of ${all.length}`);
  return { ...found, what: `${found.what}; others: ${others}` };
}

const challengesSchema = z.array(z.object({ id: z.string(), challengeType: z.string() }));

/** A path with what stands for the reader or for a challenge of the running week filled in. */
async function resolved(product: Product, path: string, { userId, token }: Place['founder']): Promise<string> {
  const [, type] = /\{(individual|team)\}/.exec(path) ?? [];
  if (type === undefined) return path.replace('{me}', userId);
  const answer = await fetch(`${product.url}/api/weekly-challenges`, { headers: { authorization: `Bearer ${token}` } });
  const found = challengesSchema.parse(await answer.json()).find(({ challengeType }) => challengeType === type);
  if (!found) throw new Error(`There is no ${type} challenge this week`);
  return path.replace(`{${type}}`, found.id);
}

/** What Redis is asked for a member's rank. */
async function ownRank(product: Product, sized: Sized): Promise<Growing[]> {
  const redis = createRedis({ url: product.redis, name: 'bench' });
  await new Promise((resolve) => redis.once('ready', resolve));
  try {
    return await inTurn(sized, ['own rank on the board in Redis'], () => async (place) => {
      const key = boardKey(place);
      const count = await redis.zcard(key);
      const startedAt = performance.now();
      const asked = 3_000;
      for (let nth = 0; nth < asked; nth += 1) {
        // Everybody's rank in turn: one that is asked for again and again is in the processor's cache.
        const place = String((nth * 7919) % count);
        const [name = '', score = '0'] = await redis.zrange(key, place, place, 'WITHSCORES');
        await redis.pipeline().zrank(key, name).zcount(key, '-inf', `(${score}`).exec();
      }
      const each = (performance.now() - startedAt) / asked;
      return { p50: each, cpu: each * 1000 };
    });
  } finally {
    redis.disconnect();
  }
}
