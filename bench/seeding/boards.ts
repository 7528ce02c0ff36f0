import { createRedis } from '@caravan/service-kit/redis';
import type { Product } from '../product.ts';
import type { Place } from './place.ts';

/** The board of an organisation in Redis. */
export const boardKey = ({ orgId }: Place): string => `lb:{${orgId}}:u:all`;

/** Asks for boards until each is there: a board is built when somebody asks for it. */
export async function awaitBoards(product: Product, places: readonly Place[]): Promise<void> {
  const redis = createRedis({ url: product.redis, name: 'bench' });
  try {
    await new Promise((resolve) => redis.once('ready', resolve));
    for (const place of places) {
      while ((await redis.exists(`${boardKey(place)}:ready`)) === 0) {
        await readBoard(product, place);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    redis.disconnect();
  }
}

async function readBoard(product: Product, { founder }: Place): Promise<void> {
  const answer = await fetch(`${product.url}/api/leaderboard`, {
    headers: { authorization: `Bearer ${founder.token}` },
  });
  if (!answer.ok) throw new Error(`/api/leaderboard answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
