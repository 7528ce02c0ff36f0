import { createRedis, type Redis } from '@caravan/service-kit/storage/redis';
import { z } from 'zod';
import { growthExponent, interleave, judge, type Finding, type Sample, type Series } from '../harness.ts';
import { runTimed } from '../progress.ts';
import type { Product } from '../product.ts';
import { readingOf } from '../reading.ts';
import { boardKey } from '../seeding/boards.ts';
import { historyPaths, judgedPaths, memberPaths } from './paths.ts';
import type { Place } from '../seeding/place.ts';
import { grownWorld, type World } from '../seeding/world.ts';
import { loggingOf } from './logging.ts';

const rounds = { most: 3, few: 2 } as const;
const mostOfAny = 0.3;

type Sized = World['byMembers'];
type Growing = { readonly name: string; readonly exponent: number; readonly spread: number; readonly told: string };

/** G5: with an organisation, and with a member's own history. */
export async function growth(): Promise<Finding[]> {
  const world = await grownWorld();
  const { product, byMembers, byHistory } = world;
  const pages = (paths: readonly string[], sized: Sized, times: number) =>
    inTurn({ names: paths, sized, times }, (path, { founder }) =>
      resolvePath(product, path, founder).then((found) => readingOf(product, { path: found, token: founder.token })),
    );
  const logging = (sized: Sized, times: number) =>
    inTurn({ names: ['POST /api/log'], sized, times }, (_, { founder }) => loggingOf(product, founder.token));
  const ends = [byMembers.at(0), byMembers.at(-1)].filter((place) => place !== undefined);
  const { most, few } = rounds;
  const judged = await runTimed('pages by members', () => pages(Object.keys(judgedPaths), byMembers, most));
  const rank = await runTimed('own rank by members', () => ownRank(product, byMembers));
  const others = await runTimed('every other page, fewest and most members', () => pages(memberPaths, ends, few));
  const own = await runTimed('pages by length of the own history', () => pages(historyPaths, byHistory, few));
  const log = await runTimed('logs by members', () => logging(byMembers, most));
  const ownLog = await runTimed('logs by length of the own history', () => logging(byHistory, few));
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

/** Figure by figure over all places: whatever else the machine does falls on all sizes alike. */
async function inTurn(
  { names, sized, times }: { names: readonly string[]; sized: Sized; times: number },
  measure: (name: string, place: Place) => Promise<Sample>,
): Promise<Growing[]> {
  const found: Growing[] = [];
  for (const name of names) {
    const variants = Object.fromEntries(sized.map(({ size, place }) => [String(size), () => measure(name, place)]));
    found.push(growing(name, sized, await interleave(variants, times)));
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

/** The one that grows most stands for all. */
function steepest(all: readonly Growing[], by: string): Finding {
  const [first, ...rest] = all.toSorted((a, b) => b.exponent - a.exponent);
  if (!first) throw new Error('Nothing was measured');
  const others = rest.map(({ name, exponent }) => `${name} ${exponent.toFixed(2)}`).join(', ');
  const found = finding(first, mostOfAny, `${by}, the steepest of ${all.length}`);
  return { ...found, what: `${found.what}; others: ${others}` };
}

const challengesSchema = z.array(z.object({ id: z.string(), challengeType: z.string() }));

async function resolvePath(product: Product, path: string, { userId, token }: Place['founder']): Promise<string> {
  const [, type] = /\{(individual|team)\}/.exec(path) ?? [];
  if (type === undefined) return path.replace('{me}', userId);
  const answer = await fetch(`${product.url}/api/weekly-challenges`, { headers: { authorization: `Bearer ${token}` } });
  const found = challengesSchema.parse(await answer.json()).find(({ challengeType }) => challengeType === type);
  if (!found) throw new Error(`There is no ${type} challenge this week`);
  return path.replace(`{${type}}`, found.id);
}

async function ownRank(product: Product, sized: Sized): Promise<Growing[]> {
  const redis = createRedis({ url: product.redis, name: 'bench' });
  await new Promise((resolve) => redis.once('ready', resolve));
  try {
    const names = ['own rank on the board in Redis'];
    return await inTurn({ names, sized, times: rounds.most }, (_, place) => askedForRanks(redis, boardKey(place)));
  } finally {
    redis.disconnect();
  }
}

/** In turn: a rank that is asked for again and again is in the processor's cache. */
async function askedForRanks(redis: Redis, key: string): Promise<Sample> {
  const count = await redis.zcard(key);
  const asked = 3_000;
  const startedAt = performance.now();
  for (let nth = 0; nth < asked; nth += 1) {
    const place = String((nth * 7919) % count);
    const [name = '', score = '0'] = await redis.zrange(key, place, place, 'WITHSCORES');
    await redis.pipeline().zrank(key, name).zcount(key, '-inf', `(${score}`).exec();
  }
  const each = (performance.now() - startedAt) / asked;
  return { p50: each, cpu: each * 1000 };
}
