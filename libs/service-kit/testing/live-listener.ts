import type { LiveAnnouncement } from '@caravan/contracts/http/live';
import { closeRedis, createSubscriber } from '../redis.ts';

/** Hears what open pages would hear: `feed` for all of an organisation, `me of <userId>` for one person's. */
export type LiveListener = { readonly kinds: ReadonlySet<string>; close(): Promise<void> };

/** Listens to an organisation's live channel as the gateway does. */
export async function listenLive(
  env: { readonly REDIS_URL: string; readonly REDIS_PREFIX: string },
  orgId: string,
): Promise<LiveListener> {
  const subscriber = createSubscriber({ url: env.REDIS_URL, name: 'live-listener' });
  const kinds = new Set<string>();
  subscriber.on('message', (_channel: string, text: string) => {
    const { kinds: everybodys, persons = {} } = JSON.parse(text) as LiveAnnouncement;
    for (const kind of everybodys) kinds.add(kind);
    for (const [userId, theirs] of Object.entries(persons))
      for (const kind of theirs) kinds.add(`${kind} of ${userId}`);
  });
  await subscriber.subscribe(`${env.REDIS_PREFIX}live:${orgId}`);
  return { kinds, close: () => closeRedis(subscriber) };
}
