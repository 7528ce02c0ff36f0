import { localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { createRedis, type Redis } from '@caravan/service-kit/storage/redis';
import type { Product } from '../product.ts';
import type { Place } from './place.ts';

/** Of all miles unless a week is named. */
export const boardKey = ({ orgId }: Place, weekStartsOn = 'all'): string => `lb:{${orgId}}:u:${weekStartsOn}`;

/** A board is built when somebody asks for it. */
export async function awaitBoards(product: Product, places: readonly Place[]): Promise<void> {
  const redis = createRedis({ url: product.redis, name: 'bench' });
  try {
    await new Promise((resolve) => redis.once('ready', resolve));
    for (const place of places) {
      const week = weekStartOf(localDateOf(new Date(), place.timeZone));
      await awaitBoard(redis, boardKey(place), () => readBoard(product, place, 'all'));
      await awaitBoard(redis, boardKey(place, week), () => readBoard(product, place, 'week'));
    }
  } finally {
    redis.disconnect();
  }
}

async function awaitBoard(redis: Redis, key: string, ask: () => Promise<void>): Promise<void> {
  while ((await redis.exists(`${key}:ready`)) === 0) {
    await ask();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** While a board is built, rows answer: those of a million may not make it in time, and the page is refused. */
async function readBoard(product: Product, { founder }: Place, period: string): Promise<void> {
  const answer = await fetch(`${product.url}/api/leaderboard?period=${period}`, {
    headers: { authorization: `Bearer ${founder.token}` },
  });
  if (!answer.ok && answer.status !== 503)
    throw new Error(`/api/leaderboard answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
