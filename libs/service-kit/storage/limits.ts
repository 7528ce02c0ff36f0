import { Rejected } from '@caravan/kernel/rejected';
import { LRUCache } from 'lru-cache';
import type { Redis } from './redis.ts';

export type Limit = { readonly name: string; readonly points: number; readonly seconds: number };

export type Count = { readonly of: Limit; readonly by: string };

/** What turned out not to count gives them back; twice gives back once. */
export type Taken = {
  readonly milliseconds: number;
  giveBack(): Promise<void>;
};

export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly retryAfterSeconds: number;

  constructor(
    readonly limit: string,
    milliseconds: number,
  ) {
    super(`the limit ${limit} is reached`);
    this.retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  }
}

type Step = { readonly key: string; readonly limit: Limit };
type Outcome = { readonly left: readonly number[] } | { readonly full: number; readonly milliseconds: number };
type Counters = {
  take(steps: readonly Step[], points: number): Promise<Outcome> | Outcome;
  giveBack(keys: readonly string[], points: number): Promise<unknown> | void;
  clear(keys: readonly string[]): Promise<unknown> | void;
};

/** Whether the caller brought the failure about; what is unavailable, or too much for another limit, was not accepted. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Rejected && error.kind !== 'unavailable' && error.kind !== 'too-many';

/** A point is taken before the attempt, so that attempts at one moment cannot pass. Without Redis per process. */
export class Limits {
  private readonly shared: Counters;
  private readonly own = new CountersInMemory();

  constructor(redis: Redis) {
    this.shared = new CountersInRedis(redis);
  }

  /** Of every count, or of none. Throws `LimitReached`; of several the one that lasts longest. */
  async take(counts: readonly Count[], points = 1): Promise<Taken> {
    const steps = counts.map(({ of: limit, by }) => ({ key: `limit:${limit.name}:${by}`, limit }));
    const { counters, outcome } = await this.through((each) => each.take(steps, points));
    if ('full' in outcome) throw new LimitReached(steps[outcome.full]?.limit.name ?? '', outcome.milliseconds);
    const takenAt = performance.now();
    let isGivenBack = false;
    const giveBack = async () => {
      if (isGivenBack) return;
      isGivenBack = true;
      const past = performance.now() - takenAt;
      const keys = steps.filter((_, index) => (outcome.left[index] ?? 0) > past).map(({ key }) => key);
      if (keys.length > 0) await Promise.resolve(counters.giveBack(keys, points)).catch(() => undefined);
    };
    return { milliseconds: Math.min(...outcome.left), giveBack };
  }

  /**
   * An allowance of work: only work that was accepted uses it up. The points are taken before it, so that attempts at one
   * moment cannot pass, and given back when it fails for a reason that the caller did not bring about.
   */
  async charge<Result>(counts: readonly Count[], work: () => Promise<Result>): Promise<Result> {
    const taken = await this.take(counts);
    try {
      return await work();
    } catch (error) {
      if (!isRefusal(error)) await taken.giveBack();
      throw error;
    }
  }

  async clear(counts: readonly Count[]): Promise<void> {
    const keys = counts.map(({ of: limit, by }) => `limit:${limit.name}:${by}`);
    this.own.clear(keys);
    await Promise.resolve(this.shared.clear(keys)).catch(() => undefined);
  }

  private async through(ask: (counters: Counters) => Promise<Outcome> | Outcome) {
    try {
      return { counters: this.shared, outcome: await ask(this.shared) };
    } catch {
      return { counters: this.own, outcome: await ask(this.own) };
    }
  }
}

// KEYS: the counts. ARGV: points wanted, then for each count its limit and its milliseconds.
const takeScript = `
local full, longest = 0, -1
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('get', key) or '0') + ARGV[1] > tonumber(ARGV[2 * i]) then
    local left = redis.call('pttl', key)
    if left > longest then full, longest = i, left end
  end
end
if full > 0 then return { full, longest } end
local left = { 0 }
for i, key in ipairs(KEYS) do
  redis.call('set', key, 0, 'PX', ARGV[2 * i + 1], 'NX')
  redis.call('incrby', key, ARGV[1])
  left[i + 1] = redis.call('pttl', key)
end
return left`;

const giveBackScript = `
for _, key in ipairs(KEYS) do
  local taken = tonumber(redis.call('get', key) or '0')
  if taken > 0 then redis.call('decrby', key, math.min(taken, tonumber(ARGV[1]))) end
end`;

type Scripts = {
  limitTake(keys: number, ...rest: (string | number)[]): Promise<[number, ...number[]]>;
  limitGiveBack(keys: number, ...rest: (string | number)[]): Promise<unknown>;
};

class CountersInRedis implements Counters {
  private readonly redis: Redis & Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('limitTake', { lua: takeScript });
    redis.defineCommand('limitGiveBack', { lua: giveBackScript });
    this.redis = redis as Redis & Scripts;
  }

  async take(steps: readonly Step[], points: number): Promise<Outcome> {
    const limits = steps.flatMap(({ limit }) => [limit.points, limit.seconds * 1_000]);
    const keys = steps.map(({ key }) => key);
    const [full, ...left] = await this.redis.limitTake(keys.length, ...keys, points, ...limits);
    return full === 0 ? { left } : { full: full - 1, milliseconds: left[0] ?? 0 };
  }

  giveBack(keys: readonly string[], points: number): Promise<unknown> {
    return this.redis.limitGiveBack(keys.length, ...keys, points);
  }

  clear(keys: readonly string[]): Promise<unknown> {
    return this.redis.del(...keys);
  }
}

const rememberedKeys = 50_000;

class CountersInMemory implements Counters {
  private readonly counts = new LRUCache<string, { taken: number; until: number }>({ max: rememberedKeys });

  take(steps: readonly Step[], points: number): Outcome {
    const now = performance.now();
    const found = steps.map(({ key, limit }) => {
      const known = this.counts.get(key);
      const count = known && known.until > now ? known : { taken: 0, until: now + limit.seconds * 1_000 };
      return { key, limit, count };
    });
    const waits = found.map(({ limit, count }) => (count.taken + points > limit.points ? count.until - now : -1));
    const milliseconds = Math.max(...waits);
    if (milliseconds >= 0) return { full: waits.indexOf(milliseconds), milliseconds };
    for (const { key, count } of found) this.counts.set(key, { ...count, taken: count.taken + points });
    return { left: found.map(({ count }) => count.until - now) };
  }

  giveBack(keys: readonly string[], points: number): void {
    for (const key of keys) {
      const count = this.counts.get(key);
      if (count) count.taken = Math.max(0, count.taken - points);
    }
  }

  clear(keys: readonly string[]): void {
    for (const key of keys) this.counts.delete(key);
  }
}
