import { createRedis } from '@caravan/service-kit/storage/redis';
import { Pool } from 'undici';
import { startFloor } from '../child.ts';
import { gatewayBefore } from '../floors/gateway-env.ts';
import { interleave, judge, median, percentile, type Finding, type Sample } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { readingOf } from '../reading.ts';
import { boardKey } from '../seeding/boards.ts';
import type { Place } from '../seeding/place.ts';
import { grownWorld, largestOf } from '../seeding/world.ts';
import { wrk } from '../wrk.ts';

const path = '/api/leaderboard';
const seconds = 2;
const shareOfCapacity = 0.3;

type Floor = ReturnType<typeof createRedis>;

/** G4: against a gateway that passes a hello on, and Redis asked directly. */
export async function largeBoard(): Promise<Finding[]> {
  const world = await grownWorld();
  const { product } = world;
  const { place } = largestOf(world);
  const hello = await startFloor('floors/hello.mjs');
  const gateway = await startFloor('floors/gateway.ts', [], gatewayBefore(hello.url, product.redis));
  const redis = createRedis({ url: product.redis, name: 'bench' });
  await new Promise((resolve) => redis.once('ready', resolve));
  try {
    const members = await redis.zcard(boardKey(place));
    const { page, pass, board } = await interleave({
      page: () => readingOf(product, { path, token: place.founder.token, seconds }),
      pass: () => passedOn(gateway.url),
      board: () => askedDirectly(redis, place),
    });
    const floor = pass.median('p50') + board.median('p50');
    const milliseconds = (value: number) => value.toFixed(2);
    const ofFloor = `page ${milliseconds(page.median('p50'))} ms; gateway ${milliseconds(pass.median('p50'))} ms + Redis ${milliseconds(board.median('p50'))} ms; CPU per page ${Math.round(page.median('cpu'))} µs`;
    const steady = await atSteadyRate(product.url, place.founder.token);
    return [
      judge({
        goal: 'G4',
        what: `the board page of ${members.toLocaleString('en')} members against the floor (${ofFloor})`,
        value: page.median('p50') / floor,
        wanted: { atMost: 1.5 },
        unit: '×',
        floorSpread: Math.max(pass.spread('p50'), board.spread('p50')),
      }),
      judge({
        goal: 'G4',
        what: `p99 against p50 of that page at ${steady.ratePerSecond} a second, 30 % of the capacity (${milliseconds(steady.p99)} ms, ${milliseconds(steady.p50)} ms)`,
        value: steady.p99 / steady.p50,
        wanted: { atMost: 4 },
        unit: '×',
      }),
    ];
  } finally {
    redis.disconnect();
    for (const child of [gateway, hello]) child.stop();
  }
}

async function passedOn(gateway: string): Promise<Sample> {
  const { failed, p50Milliseconds } = await wrk({ url: `${gateway}/.well-known/jwks.json`, connections: 1, seconds });
  if (failed > 0) throw new Error(`${failed} requests to ${gateway} failed`);
  return { p50: p50Milliseconds };
}

async function askedDirectly(redis: Floor, place: Place): Promise<Sample> {
  const key = boardKey(place);
  const [name = ''] = await redis.zrange(key, '500', '500');
  const taken: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    const pipeline = redis.pipeline().zrange(key, '0', '19', 'WITHSCORES').zrank(key, name);
    await pipeline.zcount(key, '-inf', '-500').zrange(key, '498', '502', 'WITHSCORES').exec();
    taken.push(performance.now() - startedAt);
  }
  return { p50: median(taken) };
}

/** Requests come whether or not those before were answered. */
async function atSteadyRate(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const capacity = await wrk({ url: url + path, connections: 16, seconds: 3, headers });
  const ratePerSecond = Math.round(capacity.requestsPerSecond * shareOfCapacity);
  const pool = new Pool(url, { connections: 64 });
  const taken: number[] = [];
  const work = async () => {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    taken.push(performance.now() - startedAt);
  };
  const { failed } = await openLoop({ ratePerSecond, seconds: 8, work });
  await pool.close();
  if (failed > 0) throw new Error(`${failed} requests to ${path} failed`);
  return { ratePerSecond, p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) };
}
