import type { Redis } from './redis.ts';

const key = 'gateway:present';
const shownMilliseconds = 20_000;

/** Services learn by it whether anybody outside could reach them; without Redis they do not know. */
export class GatewayPresence {
  private readonly redis: Redis;

  constructor(redis: Redis) {
    this.redis = redis;
  }

  async show(): Promise<void> {
    // A key that is there can be prolonged also while Redis is full.
    if ((await this.redis.pexpire(key, shownMilliseconds)) === 0)
      await this.redis.set(key, '1', 'PX', shownMilliseconds);
  }

  async state(): Promise<'here' | 'gone' | 'unknown'> {
    try {
      return (await this.redis.exists(key)) === 1 ? 'here' : 'gone';
    } catch {
      return 'unknown';
    }
  }
}
