import { randomUUID } from '@caravan/contracts/testing/seeded';
import { testClaims } from '@caravan/auth/testing/tokens';
import { writeLimits } from '@caravan/contracts/http/write-limits';
import { problemSchema } from '@caravan/contracts/http/problem';
import { type Limit, LimitReached, Limits } from '@caravan/service-kit/storage/limits';
import { closeRedis, createRedis, isRedisReady } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import { type Write, writeLimitOf, WriteLimits } from './write-limits.ts';

const settings = { url: testServers().redis, prefix: `writes-${randomUUID()}:`, name: 'test' };
const redis = createRedis(settings);
const otherRedis = createRedis(settings);
// Redis is absent: requests are counted in memory, where a slow machine changes no count.
const absent = 'redis://127.0.0.1:1';
const nobody = createRedis({ ...settings, url: absent });
beforeAll(async () => {
  for (const each of [redis, otherRedis]) expect(await isRedisReady(each)).toBe(true);
});
afterAll(() => Promise.all([redis, otherRedis, nobody].map(closeRedis)));

const perAccount: Limit = { name: 'gateway:account', points: 100_000, seconds: 60 };
/** Two gateways that count together. */
const limitsOf = (factor = 1, account = perAccount) => {
  const shared = new Limits(nobody);
  return [new WriteLimits(shared, account, factor), new WriteLimits(shared, account, factor)];
};

/** How many of so many writes pass, sent by one member to two gateways in turn. */
async function passing(count: number, write: Write, gateways = limitsOf(), userId = randomUUID()) {
  const sent = Array.from({ length: count }, async (_, nth) => gateways[nth % 2]?.spend(write, userId));
  const outcomes = await Promise.allSettled(sent);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

const limited = (Object.keys(writeLimits) as Write[]).filter((write) => writeLimits[write as never] !== 'by-address');

describe('what one member may write', () => {
  test.each([...limited, 'unlisted' as const])(
    '[S25] %s passes as often as its limit says within a minute, through all gateways together',
    async (write) => {
      const { perMinute } = writeLimitOf(write);
      const gateways = limitsOf();
      const userId = randomUUID();
      expect(await passing(perMinute + 20, write, gateways, userId)).toBe(perMinute);
      const refusal: unknown = await gateways[0]?.spend(write, userId).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(LimitReached);
      expect(refusal).toHaveProperty('retryAfterSeconds', expect.any(Number));
    },
  );

  test('[S25] gateways that share a Redis count together', async () => {
    const gateways = [redis, otherRedis].map((each) => new WriteLimits(new Limits(each), perAccount, 1));
    const userId = randomUUID();
    // One after the other: Redis is given up, and each counts by itself, where it leaves many unanswered.
    for (let nth = 0; nth < 60; nth += 1) await gateways[nth % 2]?.spend('writeComment', userId);
    for (const gateway of gateways) await expect(gateway.spend('writeComment', userId)).rejects.toThrow(LimitReached);
  });

  test('[S25] one operation that is used up leaves the others and other members alone', async () => {
    const gateways = limitsOf();
    const userId = randomUUID();
    expect(await passing(100, 'writeComment', gateways, userId)).toBe(60);
    expect(await passing(60, 'follow', gateways, userId)).toBe(60);
    expect(await passing(60, 'writeComment', gateways)).toBe(60);
  });

  test('[S25] the limit of an hour outlasts the minute', async () => {
    const userId = randomUUID();
    const key = `limit:gateway:write:writeComment:hour:${userId}`;
    await redis.set(
      key,
      writeLimits.writeComment === 'by-address' ? 0 : writeLimits.writeComment.perHour,
      'PX',
      3_000_000,
    );
    const gateway = new WriteLimits(new Limits(redis), perAccount, 1);
    const refusal: unknown = await gateway.spend('writeComment', userId).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ limit: 'gateway:write:writeComment:hour' });
    expect((refusal as LimitReached).retryAfterSeconds).toBeGreaterThan(2_900);
  });

  test('[S25] the factor raises every limit', async () => {
    expect(await passing(1_000, 'writeComment', limitsOf(1_000))).toBe(1_000);
  });

  test('[S25] writes count for what the account may ask, whatever they are', async () => {
    const account = { name: 'gateway:small-account', points: 50, seconds: 60 };
    const gateways = limitsOf(1_000, account);
    const userId = randomUUID();
    expect(await passing(30, 'logMovement', gateways, userId)).toBe(30);
    expect(await passing(30, 'reactToPost', gateways, userId)).toBe(20);
  });

  test('[S25] a write asks Redis once, and a burst of logs far less often than once a log', async () => {
    const asked: number[] = [];
    const counting = new Limits(nobody);
    const take = counting.take.bind(counting);
    counting.take = (counts, points) => {
      asked.push(counts.length);
      return take(counts, points);
    };
    const writes = new WriteLimits(counting, perAccount, 1);
    const userId = randomUUID();
    await writes.spend('writeComment', userId);
    expect(asked).toEqual([3]);
    for (let nth = 0; nth < 100; nth += 1) await writes.spend('logMovement', userId);
    expect(asked.length).toBe(1 + 10);
  });
});

describe('through the gateway', () => {
  let under: GatewayUnderTest;
  beforeAll(async () => {
    under = await startGatewayUnderTest((_request, response) => response.end('{}'), {
      LIMIT_PER_ACCOUNT_PER_MINUTE: 3_000,
      REDIS_URL: absent,
    });
  });
  afterAll(() => under.close());

  const post = (path: string, as: string) =>
    under.call(path, { method: 'POST', as, body: '{"text":"x"}', headers: { 'content-type': 'application/json' } });

  test('[S25] 240 comments at once: sixty reach the service, the rest are told when to try again', async () => {
    const as = await under.tokenFor(testClaims());
    const entries = Array.from({ length: 240 }, () => `/api/feed/${randomUUID()}/comments`);
    const answers = await Promise.all(entries.map((path) => post(path, as)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(under.seen.filter(({ url }) => url.endsWith('/comments'))).toHaveLength(60);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(problemSchema.parse(await refused?.json())).toMatchObject({
      status: 429,
      code: 'request/too-many',
      message: expect.stringMatching(/^Too many requests at once. Please wait \d+ seconds? and try again.$/),
    });
    expect((await under.call('/api/feed/all', { as })).status).toBe(200);
    expect((await post('/api/feed/react', as)).status).toBe(200);
    expect((await post(entries[0] ?? '', await under.tokenFor(testClaims()))).status).toBe(200);
  });

  test('[S25] another spelling of the address is no way around the limit', async () => {
    const as = await under.tokenFor(testClaims());
    const comments = ['/api/feed/x/comments', '/api/feed/x/c%6Fmments', '/api/f%65ed/x/comments'];
    const spelled = Array.from({ length: 100 }, (_, nth) => comments[nth % 3] ?? '');
    const answers = await Promise.all(spelled.map((path) => post(path, as)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  });
});
