import { type Command, Redis as Client } from 'ioredis';
import { Dependency } from './dependency.ts';
import type { Log } from './log.ts';

/** Keys get `REDIS_PREFIX`, channels go through `channelName`. */
export const Redis = Symbol('Redis');
export type Redis = Client;

export type RedisSettings = {
  readonly url: string;
  readonly prefix?: string;
  readonly name: string;
  readonly log?: Log | undefined;
  readonly dependency?: Dependency | undefined;
};

/** A request passes two processes, so a Redis that hangs costs 300 ms at most before the fallbacks answer. */
export const redisDependency = { name: 'redis', budgetMilliseconds: 150 };
// A server that loads its data, or has just been thawed, may take a while to greet.
const greetingMilliseconds = 2_000;

/** Gives a connection up that leaves a command unanswered; without one every command fails at once (no queue). */
export function createRedis(settings: RedisSettings): Redis {
  return watched(new BoundedClient(settings), settings.log);
}

/** Answers come in the order of commands: the oldest unanswered one tells whether the server hangs. */
class BoundedClient extends Client {
  readonly #dependency: Dependency;
  readonly #unanswered = new Map<Command, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ url, prefix = '', name, dependency = new Dependency(redisDependency) }: RedisSettings) {
    super(url, {
      keyPrefix: prefix,
      connectionName: name,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: greetingMilliseconds,
      connectTimeout: greetingMilliseconds,
      retryStrategy,
      lazyConnect: true,
    });
    this.#dependency = dependency;
    this.on('close', () => dependency.hold(true));
    this.on('ready', () => dependency.hold(false));
    this.connect().catch(() => undefined);
  }

  override sendCommand(...[command, stream]: Parameters<Client['sendCommand']>): unknown {
    if (this.status !== 'ready') return super.sendCommand(command, stream);
    const sent = super.sendCommand(command, stream);
    const answered = () => void this.#unanswered.delete(command);
    this.#unanswered.set(command, performance.now());
    command.promise.then(answered, answered);
    this.#timer ??= this.#watchFor(redisDependency.budgetMilliseconds);
    return sent;
  }

  #watchFor(milliseconds: number): NodeJS.Timeout {
    // An answer that lies in the socket while this process was busy is read before the second look.
    return setTimeout(() => setImmediate(() => this.#look()), milliseconds).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const [oldest] = this.#unanswered.values();
    if (oldest === undefined) return;
    const left = oldest + redisDependency.budgetMilliseconds - performance.now();
    if (left > 0) {
      this.#timer = this.#watchFor(left);
      return;
    }
    this.#dependency.onOverrun();
    this.#unanswered.clear();
    this.stream.destroy();
  }
}

export function createSubscriber({ url, name, log }: RedisSettings): Redis {
  return watched(
    new Client(url, {
      connectionName: name,
      maxRetriesPerRequest: null,
      connectTimeout: greetingMilliseconds,
      retryStrategy,
    }),
    log,
  );
}

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

/** ioredis prefixes keys only. */
export function channelName(redis: Redis, channel: string): string {
  return `${redis.options.keyPrefix ?? ''}${channel}`;
}

export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined);
  redis.disconnect();
}

function retryStrategy(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), 1_000);
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
