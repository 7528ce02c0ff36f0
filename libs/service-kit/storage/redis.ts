import { Command, Redis as Client, type RedisOptions } from 'ioredis';
import type { BackgroundTask, BackgroundWork } from '../telemetry/background-work.ts';
import { Dependency } from '../process/dependency.ts';
import { Heartbeat, type HeartbeatTimes, heartbeatTimes } from '../process/heartbeat.ts';
import type { Log } from '../telemetry/log.ts';

/** Keys get `REDIS_PREFIX`, channels go through `channelName`. */
export const Redis = Symbol('Redis');
export type Redis = Client;

export type RedisSettings = {
  readonly url: string;
  readonly prefix?: string;
  readonly name: string;
  readonly log?: Log | undefined;
  readonly dependency?: Dependency | undefined;
  readonly heartbeat?: HeartbeatTimes | undefined;
};

export type SubscriberSettings = RedisSettings & { readonly background: BackgroundWork };

/** A request passes two processes, so a Redis that hangs costs 300 ms at most before the fallbacks answer. */
export const redisDependency = { name: 'redis', budgetMilliseconds: 150 };
// A server that loads its data, or has just been thawed, may take a while to greet.
const greetingMilliseconds = 2_000;

const keepAliveMilliseconds = 10_000;
const subscriberLateAfterSeconds = 30;
const blockingCommands = new Set([
  'blmove',
  'blmpop',
  'blpop',
  'brpop',
  'brpoplpush',
  'bzmpop',
  'bzpopmax',
  'bzpopmin',
]);

type Options = Omit<RedisOptions, 'replyMapping'>;

/** Every connection to Redis is one of these, also those that BullMQ duplicates for its workers. */
class LivingClient extends Client {
  readonly #settings: RedisSettings;
  readonly #heartbeat: Heartbeat;
  readonly #blocking = new Set<Command>();
  onAlive: () => void = () => undefined;

  constructor(settings: RedisSettings, options: Options) {
    super(settings.url, {
      connectionName: settings.name,
      connectTimeout: greetingMilliseconds,
      keepAlive: keepAliveMilliseconds,
      retryStrategy,
      ...options,
      lazyConnect: true,
    });
    this.#settings = settings;
    const pulse = {
      // During a reconnect `stream` is still the previous one.
      socket: () => (this.status === 'connect' || this.status === 'ready' ? this.stream : undefined),
      ping: () => this.#ping(),
      alive: () => this.onAlive(),
      mayBeSilent: () => this.#blocking.size > 0,
    };
    this.#heartbeat = new Heartbeat(pulse, settings.heartbeat ?? heartbeatTimes);
    this.on('connect', () => this.#heartbeat.start());
    this.on('ready', () => this.onAlive());
    this.on('close', () => this.#heartbeat.stop());
    watch(this, settings.log);
    this.connect().catch(() => undefined);
  }

  override duplicate = ((override: Options = {}) =>
    new LivingClient(
      { ...this.#settings, log: undefined },
      { ...(this.options as Options), ...override },
    )) as unknown as Client['duplicate'];

  override sendCommand(...[command, stream]: Parameters<Client['sendCommand']>): unknown {
    if (blockingCommands.has(command.name)) {
      const recordAnswer = () => void this.#blocking.delete(command);
      this.#blocking.add(command);
      command.promise.then(recordAnswer, recordAnswer);
    }
    return super.sendCommand(command, stream);
  }

  /** Bypasses the deadlines of subclasses: the heartbeat has its own. */
  #ping(): Promise<unknown> {
    const ping = new Command('ping', [], { replyEncoding: 'utf8' });
    super.sendCommand(ping);
    return ping.promise;
  }
}

/** Gives a connection up that leaves a command unanswered; without one every command fails at once (no queue). */
export function createRedis(settings: RedisSettings): Redis {
  return new BoundedClient(settings);
}

/** Answers come in the order of commands: the oldest unanswered one tells whether the server hangs. */
class BoundedClient extends LivingClient {
  readonly #dependency: Dependency;
  readonly #unanswered = new Map<Command, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: RedisSettings) {
    super(settings, {
      keyPrefix: settings.prefix ?? '',
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: greetingMilliseconds,
    });
    const dependency = settings.dependency ?? new Dependency(redisDependency);
    this.#dependency = dependency;
    this.on('close', () => dependency.hold(true));
    this.on('ready', () => dependency.hold(false));
  }

  override sendCommand(...[command, stream]: Parameters<Client['sendCommand']>): unknown {
    if (this.status !== 'ready') return super.sendCommand(command, stream);
    const sent = super.sendCommand(command, stream);
    const recordAnswer = () => void this.#unanswered.delete(command);
    this.#unanswered.set(command, performance.now());
    command.promise.then(recordAnswer, recordAnswer);
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

const patientMilliseconds = 8_000;

/** For operators' commands: waits for the connection, and up to 8 s for an answer. */
export function createPatientRedis(settings: RedisSettings): Redis {
  return new LivingClient(settings, {
    keyPrefix: settings.prefix ?? '',
    maxRetriesPerRequest: 0,
    commandTimeout: patientMilliseconds,
  });
}

/** Reconnects for ever, and subscribes again. Its task in the record of background work ends with the connection. */
export function createSubscriber(settings: SubscriberSettings): Redis {
  const { background, name } = settings;
  const subscriber = new LivingClient(settings, { maxRetriesPerRequest: null });
  const task: BackgroundTask = background.register({
    kind: 'subscriber',
    name,
    lateAfterSeconds: subscriberLateAfterSeconds,
  });
  subscriber.onAlive = () => task.recordSuccess();
  subscriber.on('error', (error) => task.recordFailure(error));
  subscriber.on('end', () => background.unregister(name));
  return subscriber;
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

function watch(client: Client, log: Log | undefined): void {
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
}
