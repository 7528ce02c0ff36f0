import type { LiveMessage } from '@caravan/contracts/http/live';
import { closeRedis, createSubscriber } from '../redis.ts';

/** Hears what open pages of an organisation would hear. */
export type LiveListener = { readonly kinds: ReadonlySet<string>; close(): Promise<void> };

/** Listens to an organisation's live channel as the gateway does. */
export async function listenLive(
  env: { readonly REDIS_URL: string; readonly REDIS_PREFIX: string },
  orgId: string,
): Promise<LiveListener> {
  const subscriber = createSubscriber({ url: env.REDIS_URL, name: 'live-listener' });
  const kinds = new Set<string>();
  subscriber.on('message', (_channel: string, text: string) => {
    for (const kind of (JSON.parse(text) as LiveMessage).kinds) kinds.add(kind);
  });
  await subscriber.subscribe(`${env.REDIS_PREFIX}live:${orgId}`);
  return { kinds, close: () => closeRedis(subscriber) };
}
