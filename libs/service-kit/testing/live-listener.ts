import type { LiveAnnouncement } from '@caravan/contracts/http/live';
import { closeRedis, createSubscriber } from '../storage/redis.ts';
import { ownBackground } from './background.ts';

/** Hears what open pages would hear: `feed` for all of an organisation, `me of <id>` for one person's or one team's. */
export type LiveListener = { readonly kinds: ReadonlySet<string>; close(): Promise<void> };

/**
 * Listens to an organisation's live channel as the gateway does. Announcements of changes made shortly before may
 * still arrive, so a test asks whether a kind was heard, never whether no other was.
 */
export async function listenLive(
  env: { readonly REDIS_URL: string; readonly REDIS_PREFIX: string },
  orgId: string,
): Promise<LiveListener> {
  const subscriber = createSubscriber({ url: env.REDIS_URL, name: 'live-listener', background: ownBackground() });
  const kinds = new Set<string>();
  subscriber.on('message', (_channel: string, text: string) => {
    const { kinds: everybodys, persons = {}, teams = {} } = JSON.parse(text) as LiveAnnouncement;
    for (const kind of everybodys) kinds.add(kind);
    for (const [id, theirs] of Object.entries({ ...persons, ...teams }))
      for (const kind of theirs) kinds.add(`${kind} of ${id}`);
  });
  await subscriber.subscribe(`${env.REDIS_PREFIX}live:${orgId}`);
  return { kinds, close: () => closeRedis(subscriber) };
}
