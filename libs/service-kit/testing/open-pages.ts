import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { LiveAnnouncement, LivePart, LiveWanted, OpenPagesNote } from '@caravan/contracts/http/live';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import { channelName, closeRedis, createRedis, createSubscriber, isRedisReady } from '../storage/redis.ts';
import { ownBackground } from './background.ts';

/** Pages of an organisation that show something, and what a gateway would have told them. */
export type OpenPagesUnderTest = {
  /** What a reader's page was given of a topic last, 'ask' where it was sent to ask; undefined before anything came. */
  partGiven(userId: string, topic: LiveTopic): object | 'ask' | undefined;
  /** All that was said to anybody, as text. */
  allTexts(): string;
  /** Wants anew what the pages show, and forgets what they were given. */
  want(): Promise<void>;
  close(): Promise<void>;
};

type Where = { readonly REDIS_URL: string; readonly REDIS_PREFIX: string };

/** Opens a page for each of the readers, as a gateway notes it. */
export async function openPages(
  env: Where,
  orgId: string,
  { readers, topics }: { readers: readonly string[]; topics: readonly LiveTopic[] },
): Promise<OpenPagesUnderTest> {
  const settings = { url: env.REDIS_URL, prefix: env.REDIS_PREFIX, name: 'open-pages' };
  const redis = createRedis(settings);
  const subscriber = createSubscriber({ ...settings, background: ownBackground() });
  await isRedisReady(redis);
  const texts: string[] = [];
  const given: Map<string, object | 'ask'> = new Map();
  const give = ({ topic, all, some, ask, only }: LivePart) => {
    for (const userId of readers) {
      const theirs = some.filter(({ to }) => to.includes(userId)).map(({ data }) => data);
      const isMeant = only === undefined || only.includes(userId);
      if (ask.includes(userId)) given.set(`${userId} ${topic}`, 'ask');
      else if (isMeant || theirs.length > 0)
        given.set(`${userId} ${topic}`, Object.assign({}, isMeant && all, ...theirs) as object);
    }
  };
  subscriber.on('message', (_channel: string, text: string) => {
    texts.push(text);
    for (const part of (JSON.parse(text) as LiveAnnouncement).parts ?? []) give(part);
  });
  await subscriber.subscribe(channelName(redis, `live:${orgId}`));
  const groups = [{ topics: [...topics], readers: [...readers] }];
  const note: OpenPagesNote = { until: Date.now() + 3_600_000, pages: readers.length, groups };
  await redis.hset(`pages:${orgId}`, 'test', JSON.stringify(note));
  const want = async () => {
    given.clear();
    const message: LiveWanted = { id: randomUUID(), orgId, wanted: groups };
    await redis.publish(channelName(redis, 'live-requests'), JSON.stringify(message));
  };
  return {
    partGiven: (userId, topic) => given.get(`${userId} ${topic}`),
    allTexts: () => texts.join('\n'),
    want,
    close: async () => {
      await Promise.all([redis, subscriber].map(closeRedis));
    },
  };
}
