import type { Redis } from './redis.ts';

const key = 'demo:filling';
/** The key expires after a launcher was killed, so that pages stop saying that the demo is being filled. */
const longestMilliseconds = 300_000;

/** `./caravan up` fills the demo while people look at it already; gateways tell their pages. */
export class DemoFilling {
  private readonly redis: Redis;

  constructor(redis: Redis) {
    this.redis = redis;
  }

  async begin(): Promise<void> {
    await this.redis.set(key, '1', 'PX', longestMilliseconds);
  }

  async end(): Promise<void> {
    await this.redis.del(key);
  }

  async isUnderWay(): Promise<boolean> {
    return (await this.redis.exists(key)) === 1;
  }
}
