import { createHash } from 'node:crypto';
import { Rejected } from '@caravan/event-store/rejected';
import { Env } from '@caravan/service-kit/env';
import { Redis } from '@caravan/service-kit/redis';
import { Inject, Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { IdentityEnv } from './env.ts';

const failuresPerAccount = 10;
const requestsPerAccount = 10;
const windowSeconds = 900;

/**
 * Counts failed sign-ins by account, and by client address together with whatever else was guessed wrong; and requests
 * for links by mail.
 */
@Injectable()
export class Attempts {
  private readonly accounts: RateLimiterAbstract;
  private readonly addresses: RateLimiterAbstract;
  private readonly requestsForAccounts: RateLimiterAbstract;
  private readonly requestsFromAddresses: RateLimiterAbstract;
  private readonly inTurn = new Map<string, Promise<unknown>>();

  constructor(@Inject(Redis) redis: Redis, @Inject(Env) env: IdentityEnv) {
    this.accounts = limiter(redis, 'failures:account', failuresPerAccount);
    this.addresses = limiter(redis, 'failures:address', env.FAILURES_PER_ADDRESS);
    this.requestsForAccounts = limiter(redis, 'requests:account', requestsPerAccount);
    this.requestsFromAddresses = limiter(redis, 'requests:address', env.FAILURES_PER_ADDRESS);
  }

  /**
   * One attempt at an account; the attempt answers undefined when it fails. Attempts at one account go one after the
   * other, so that a burst cannot try more than the limit. Throws `Rejected` (too-many) without trying.
   */
  async atAccount<Result>(
    emailKey: string,
    address: string,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const account = accountOf(emailKey);
    const turn = (this.inTurn.get(account) ?? Promise.resolve()).then(async () => {
      await Promise.all([assertBelow(this.accounts, account), assertBelow(this.addresses, address)]);
      const result = await attempt();
      if (result === undefined) await Promise.all([count(this.accounts, account), count(this.addresses, address)]);
      else await this.accounts.delete(account);
      return result;
    });
    const settled = turn.catch(() => undefined);
    this.inTurn.set(account, settled);
    void settled.then(() => this.inTurn.get(account) === settled && this.inTurn.delete(account));
    return turn;
  }

  /** Somebody proved in another way that an account is theirs: what was guessed before does not count any more. */
  async forgive(emailKey: string): Promise<void> {
    await this.accounts.delete(accountOf(emailKey));
  }

  /**
   * One attempt from an address; it counts as a failure when it meets something taken or unknown. Throws `Rejected`
   * (too-many) without trying.
   */
  async fromAddress<Result>(address: string, attempt: () => Promise<Result>): Promise<Result> {
    await assertBelow(this.addresses, address);
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Rejected && isGuess(error)) await count(this.addresses, address);
      throw error;
    }
  }

  /** Counts a request for a mail to an account, whether there is one or not. Throws `Rejected` (too-many). */
  async asked(emailKey: string, address: string): Promise<void> {
    await consume(this.requestsFromAddresses, address);
    await consume(this.requestsForAccounts, accountOf(emailKey));
  }
}

function isGuess({ kind, code }: Rejected): boolean {
  return kind === 'conflict' || kind === 'not-found' || code === 'reset/invalid-link';
}

/** Addresses of people do not belong into Redis. */
function accountOf(emailKey: string): string {
  return createHash('sha256').update(emailKey).digest('base64url');
}

function limiter(redis: Redis, keyPrefix: string, points: number): RateLimiterAbstract {
  const limits = { keyPrefix, points, duration: windowSeconds };
  // Without Redis each process counts for itself.
  const insuranceLimiter = new RateLimiterMemory(limits);
  return new RateLimiterRedis({ ...limits, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter });
}

async function count(limiter: RateLimiterAbstract, key: string): Promise<void> {
  // Consuming beyond the limit rejects, which is what `assertBelow` says beforehand.
  await limiter.consume(key).catch(() => undefined);
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (state) {
    throw state instanceof RateLimiterRes ? tooMany(state) : state;
  }
}

async function assertBelow(limiter: RateLimiterAbstract, key: string): Promise<void> {
  const state = await limiter.get(key);
  if (state && state.consumedPoints >= limiter.points) throw tooMany(state);
}

function tooMany({ msBeforeNext }: RateLimiterRes): Rejected {
  return new Rejected('auth/too-many-attempts', 'too-many', 'Too many attempts. Please try again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  });
}
