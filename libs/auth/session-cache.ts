import { channelName, type Redis } from '@caravan/service-kit/storage/redis';
import type { SessionCache, SessionState } from './session-liveness.ts';

const keyOf = (sessionId: string) => `sid:${sessionId}`;
const endedChannel = 'sessions:ended';
// Long enough to spare identity nearly every request; no state outlives its reason by much.
const liveSeconds = 900;
// An access token lives 60 min: after that nobody can ask about the session.
const endedSeconds = 3_900;

export class RedisSessionCache implements SessionCache {
  private hasSubscribed = false;
  private readonly listeners: ((sessionId: string) => void)[] = [];

  constructor(
    private readonly redis: Redis,
    private readonly subscriber: Redis,
  ) {}

  async read(sessionId: string): Promise<SessionState | undefined> {
    const state = await this.redis.get(keyOf(sessionId)).catch(() => undefined);
    return state === 'live' || state === 'ended' ? state : undefined;
  }

  async onEnded(listener: (sessionId: string) => void): Promise<void> {
    this.listeners.push(listener);
    this.subscriber.on('message', (_channel, message: string) => message.split(' ').forEach(listener));
    await this.subscriber.subscribe(channelName(this.redis, endedChannel));
    this.hasSubscribed = true;
  }

  onInterrupted(listener: () => void): void {
    this.subscriber.on('close', listener);
  }

  /** Calls it whenever a connection stands, the present one included: Redis may hold old states then. */
  onConnected(listener: () => void): void {
    this.redis.on('ready', listener);
    if (this.redis.status === 'ready') listener();
  }

  isListening(): boolean {
    return this.hasSubscribed && this.subscriber.status === 'ready';
  }

  /** An end is final: it is never overwritten. Never throws. */
  async putLive(sessionId: string): Promise<void> {
    await this.redis.set(keyOf(sessionId), 'live', 'EX', liveSeconds, 'NX').catch(() => undefined);
  }

  /**
   * Publishes in any case, also while Redis takes no writes. A state that cannot be overwritten is deleted then: readers
   * that find none ask identity. Rejects unless every end is written; the caller repeats it until then.
   */
  async putEnded(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    // Here at once: the next request may be faster than the announcement's way through Redis.
    for (const listener of this.listeners) sessionIds.forEach(listener);
    const steps = [
      this.redis.publish(channelName(this.redis, endedChannel), sessionIds.join(' ')),
      ...sessionIds.map((sessionId) => this.writeEnd(sessionId)),
    ];
    const failed = (await Promise.allSettled(steps)).find((step) => step.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async writeEnd(sessionId: string): Promise<void> {
    try {
      await this.redis.set(keyOf(sessionId), 'ended', 'EX', endedSeconds);
    } catch (error) {
      await this.redis.del(keyOf(sessionId)).catch(() => undefined);
      throw error;
    }
  }
}
