import type { Redis } from '@caravan/service-kit/storage/redis';
import type { Windows } from './figures.ts';
import { ProviderFailure, type Purpose } from './provider.ts';
import { firstLimits, quotaWindows, shares, toldBy, type Usage, windowAt } from './quota.ts';

// Of each window: `taken`, our calls; `answered`, those whose answer came; `room`, how many of ours fit in beside what
// others use of the app. Calls that have not come back are counted on both sides: too few are asked rather than one too
// many. Before the platform has said anything one call asks alone, since Redis may have been emptied in a window.
// KEYS: limits, then the windows. ARGV: share, patience of the one that asks alone in ms, then limits and ms of windows.
const takeScript = `
local known = redis.call('hmget', KEYS[1], '1', '2')
local full, longest = 0, -1
for i = 1, 2 do
  local limit = tonumber(known[i] or ARGV[2 * i + 1])
  local window = redis.call('hmget', KEYS[i + 1], 'taken', 'room')
  local room = math.min(tonumber(window[2] or limit), limit)
  local kept = limit - math.floor(limit * tonumber(ARGV[1]))
  if tonumber(window[1] or '0') + 1 > room - kept then
    local left = tonumber(ARGV[2 * i + 2])
    if left > longest then full, longest = i, left end
  end
end
if full > 0 then return { 0, longest } end
if not known[1] and not redis.call('set', KEYS[1] .. ':first', '1', 'PX', ARGV[2], 'NX') then return { 0, 1000 } end
for i = 1, 2 do
  redis.call('hincrby', KEYS[i + 1], 'taken', 1)
  redis.call('pexpire', KEYS[i + 1], tonumber(ARGV[2 * i + 2]) + 120000)
end
return { 1, 0 }`;

// KEYS: limits, then the windows. ARGV: for each window its smallest limit (0: nothing was told) and the smallest of what
// is left by each kind of limit; then for each window whether it is over (1) and its ms.
const learnScript = `
for i = 1, 2 do
  local answered = redis.call('hincrby', KEYS[i + 1], 'answered', 1)
  local limit, left = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  if limit > 0 then
    redis.call('hset', KEYS[1], tostring(i), limit)
    local room = math.max(0, left) + answered
    local known = redis.call('hget', KEYS[i + 1], 'room')
    if not known or tonumber(known) > room then redis.call('hset', KEYS[i + 1], 'room', room) end
  end
  if ARGV[4 + i] == '1' then redis.call('hset', KEYS[i + 1], 'room', 0) end
  redis.call('pexpire', KEYS[i + 1], tonumber(ARGV[6 + i]) + 120000)
end
redis.call('del', KEYS[1] .. ':first')`;

type Scripts = {
  quotaTake(keys: number, ...rest: (string | number)[]): Promise<[number, number]>;
  quotaLearn(keys: number, ...rest: (string | number)[]): Promise<unknown>;
};
type Taken = { readonly keys: readonly string[] };

const patienceMilliseconds = 30_000;

/** What a platform grants an app in a quarter of an hour and a day, shared by all processes, and never exceeded. */
export class Quota {
  private readonly redis: Redis & Scripts;

  constructor(
    redis: Redis,
    private readonly name: string,
    private readonly now: () => number = Date.now,
  ) {
    redis.defineCommand('quotaTake', { lua: takeScript });
    redis.defineCommand('quotaLearn', { lua: learnScript });
    this.redis = redis as Redis & Scripts;
  }

  /** Fails with 'busy' when what is left is for others, and when Redis cannot tell. */
  async take(purpose: Purpose): Promise<Taken> {
    const windows = this.windows();
    const keys = [this.limitsKey, ...windows.map(({ key }) => key)];
    const figures = windows.flatMap(({ leftMilliseconds }, nth) => [firstLimits[nth] ?? 0, leftMilliseconds]);
    const asked = this.redis.quotaTake(keys.length, ...keys, shares[purpose], patienceMilliseconds, ...figures);
    const [isTaken, wait] = await asked.catch(() => [0, 5_000] as const);
    if (isTaken === 0)
      throw new ProviderFailure('busy', `the quota of ${this.name} is used up`, Math.ceil(wait / 1_000));
    return { keys };
  }

  /** Says when a platform that refuses for now may be asked again. */
  async learn({ keys }: Taken, answer: { status: number; headers: Headers } | undefined): Promise<number> {
    const told = answer ? toldBy((name) => answer.headers.get(name)) : undefined;
    const kinds = [told?.fifteenMinutes ?? [], told?.day ?? []];
    const isRefused = answer?.status === 429;
    // Without figures it is the quarter of an hour that is over.
    const over = kinds.map((usages, nth) => isRefused && (usages.length === 0 ? nth === 0 : usages.some(isUsedUp)));
    const windows = this.windows();
    const figures = kinds.flatMap((usages) => [smallest(usages.map(({ limit }) => limit)), smallest(usages.map(left))]);
    const rest = [...figures, ...over.map(Number), ...windows.map(({ leftMilliseconds }) => leftMilliseconds)];
    await this.redis.quotaLearn(keys.length, ...keys, ...rest).catch(() => undefined);
    const waits = windows.filter((_, nth) => over[nth]).map(({ leftMilliseconds }) => leftMilliseconds);
    return Math.ceil(Math.max(1_000, ...waits) / 1_000);
  }

  /** Undefined: nothing was asked yet. */
  async left(): Promise<Windows | undefined> {
    const limits = await this.redis.hmget(this.limitsKey, '1', '2').catch(() => [null, null]);
    if (limits[0] === null) return undefined;
    const windows = await Promise.all(this.windows().map(({ key }) => this.redis.hmget(key, 'taken', 'room')));
    const leftOf = (nth: 0 | 1) => {
      const [taken, room] = windows[nth] ?? [];
      return Math.max(0, Math.min(Number(room ?? limits[nth]), Number(limits[nth])) - Number(taken ?? 0));
    };
    return { 'fifteen-minutes': leftOf(0), day: leftOf(1) };
  }

  private get limitsKey(): string {
    return `quota:${this.name}`;
  }

  private windows() {
    const now = this.now();
    return quotaWindows.map(({ name, milliseconds }) => {
      const { nth, leftMilliseconds } = windowAt(now, milliseconds);
      return { key: `quota:${this.name}:${name}:${nth}`, leftMilliseconds };
    });
  }
}

const left = ({ limit, used }: Usage): number => limit - used;
const isUsedUp = (usage: Usage): boolean => left(usage) <= 0;
const smallest = (figures: readonly number[]): number => (figures.length === 0 ? 0 : Math.min(...figures));
