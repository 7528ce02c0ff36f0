import { Redis as Client } from 'ioredis';
import type { Log } from './log.ts';

/** Injection token of the service's Redis connection: keys get `REDIS_PREFIX`, channels go through `channelName`. */
export const Redis = Symbol('Redis');
export type Redis = Client;

export type RedisSettings = {
  readonly url: string;
  readonly prefix?: string;
  readonly name: string;
  readonly log?: Log | undefined;
};

/**
 * A connection for commands: pipelined automatically, reconnecting for ever. While Redis is away every command fails at
 * once (no queue), so that callers can fall back; one that gets no answer fails after 2 s.
 */
export function createRedis({ url, prefix = '', name, log }: RedisSettings): Redis {
  return watched(
    new Client(url, {
      keyPrefix: prefix,
      connectionName: name,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 2_000,
      connectTimeout: 2_000,
      retryStrategy,
    }),
    log,
  );
}

/** A connection that only listens to channels: subscriptions come back by themselves after a reconnect. */
export function createSubscriber({ url, name, log }: RedisSettings): Redis {
  return watched(
    new Client(url, { connectionName: name, maxRetriesPerRequest: null, connectTimeout: 2_000, retryStrategy }),
    log,
  );
}

/** Resolves with true once the connection may be used, with false when Redis did not answer in time. */
export async function isRedisReady(redis: Redis, timeoutMs = 2_000): Promise<boolean> {
  if (redis.status === 'ready') return true;
  if (timeoutMs === 0) return false;
  return new Promise((resolve) => {
    const settle = (isReady: boolean) => {
      clearTimeout(timer);
      redis.off('ready', ready);
      resolve(isReady);
    };
    const ready = () => settle(true);
    const timer = setTimeout(() => settle(false), timeoutMs);
    redis.once('ready', ready);
  });
}

/** Full name of a channel; ioredis prefixes keys only. */
export function channelName(redis: Redis, channel: string): string {
  return `${redis.options.keyPrefix ?? ''}${channel}`;
}

/** Ends a connection without waiting for a server that is away. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined);
  redis.disconnect();
}

/** Grows to 2 s, so that a restarted server is found soon and an absent one is not stormed. */
function retryStrategy(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);
}

function watched(client: Client, log: Log | undefined): Client {
  let isAway = false;
  client.on('error', (error: Error) => {
    if (isAway) return;
    isAway = true;
    log?.warn({ err: error }, 'Redis is away');
  });
  client.on('ready', () => {
    if (isAway) log?.info('Redis is back');
    isAway = false;
  });
  return client;
}
