import { createHash } from 'node:crypto';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { LimitReached, Limits } from '@caravan/service-kit/storage/limits';
import type { Count, Limit, Taken } from '@caravan/service-kit/storage/limits';
import { networkOf } from '@caravan/service-kit/http/network';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { AccountMarks, KnownDevices } from './known-devices.service.ts';

export type Origin = { readonly ip: string; readonly device?: string | undefined };

const quarterHour = 900;
const hour = 3_600;
const day = 86_400;

/** At one account, of one device, or of one address that no cookie tells apart. */
const wrongHere: readonly Limit[] = [
  { name: 'wrong', points: 10, seconds: quarterHour },
  { name: 'wrong-a-day', points: 50, seconds: day },
];

/** At one account from unknown devices everywhere; beyond it an address must be quiet. */
const wrongAnywhere: Limit = { name: 'wrong-anywhere', points: 50, seconds: quarterHour };

const quiet: Limit = { name: 'wrong', points: 1, seconds: quarterHour };

const resetMails: Limit = { name: 'reset-mails', points: 3, seconds: hour };

const moves: Limit = { name: 'moves', points: 10, seconds: quarterHour };

const probed: Limit = { name: 'probed', points: 1, seconds: hour };

/**
 * Slows guessing, shuts nobody out (ADR 0027). A point is taken before the attempt, and given back when it was no
 * guess.
 */
@Injectable()
export class Attempts {
  readonly devices: KnownDevices;
  private readonly limits: Limits;
  private readonly wrongFromAddress: readonly Limit[];
  private readonly guesses: Limit;
  private readonly requests: Limit;
  private readonly probes: Limit;
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(
    @Inject(Redis) redis: Redis,
    @Inject(Env) env: IdentityEnv,
    @Inject(AccountMarks) readonly marks: AccountMarks,
  ) {
    const { FAILURES_PER_ADDRESS: failures, ADDRESS_PROBES_PER_HOUR: probes } = env;
    this.devices = new KnownDevices(env);
    this.limits = new Limits(redis);
    const perAddress = (name: string): Limit => ({ name, points: failures, seconds: quarterHour });
    // An address that guesses all day gets no further than five busy quarters of an hour.
    this.wrongFromAddress = [
      perAddress('wrong-from'),
      { name: 'wrong-from-a-day', points: failures * 5, seconds: day },
    ];
    this.guesses = perAddress('guesses');
    this.requests = perAddress('requests');
    this.probes = { name: 'probes', points: probes, seconds: hour };
  }

  /** One by one from one place: a burst of right ones is no guessing. Throws `Rejected` (too-many). */
  async atAccount<Result>(
    emailKey: string,
    from: Origin,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const account = hashOf(emailKey);
    const here = hereOf(account, from);
    return this.serially(here, async () => {
      const taken = await this.takeAttempt(account, here, from);
      const result = await attempt().catch((error: unknown) => givenBack(taken, error));
      if (result === undefined) return undefined;
      await taken.giveBack();
      await this.limits.clear(countsOf(wrongHere, here));
      return result;
    });
  }

  /** After another proof: what was guessed before does not count any more. */
  async forgive(emailKey: string, from: Origin): Promise<void> {
    const account = hashOf(emailKey);
    await this.limits.clear([...countsOf(wrongHere, hereOf(account, from)), { of: wrongAnywhere, by: account }]);
  }

  /** Counts as a guess when it meets an unknown code or link. Throws `Rejected` (too-many) without trying. */
  async fromAddress<Result>(ip: string, attempt: () => Promise<Result>): Promise<Result> {
    const taken = await this.take([{ of: this.guesses, by: networkOf(ip) }]);
    const result = await attempt().catch((error: unknown) => {
      if (error instanceof Rejected && isGuess(error)) throw error;
      return givenBack(taken, error);
    });
    await taken.giveBack();
    return result;
  }

  /** That an address is taken tells of others: so many an hour. Throws `Rejected` (too-many). */
  async probe(ip: string, emailKey: string, isTaken: () => Promise<boolean>): Promise<boolean> {
    const network = networkOf(ip);
    return this.serially(`probe:${network}`, async () => {
      const first = await this.limits.take([{ of: probed, by: `${network}:${hashOf(emailKey)}` }]).catch(toldBefore);
      if (!first) return isTaken();
      const taken = await this.take([{ of: this.probes, by: network }]).catch((error: unknown) =>
        givenBack(first, error),
      );
      const answer = await isTaken().catch((error: unknown) => givenBack(taken, error));
      if (!answer) await Promise.all([taken.giveBack(), first.giveBack()]);
      return answer;
    });
  }

  /**
   * Mails a link, three times an hour to one address, whether there is an account or not; beyond that nothing happens.
   * Counts by client address, too. Throws `Rejected` (too-many).
   */
  async mailLink(ip: string, emailKey: string, mail: () => Promise<void>): Promise<void> {
    await this.charge([{ of: this.requests, by: networkOf(ip) }], async () => {
      await this.limits.charge([{ of: resetMails, by: hashOf(emailKey) }], mail).catch(toldBefore);
    });
  }

  /** Another address of an account: counts by account and client address. Throws `Rejected` (too-many). */
  move<Result>(account: string, ip: string, work: () => Promise<Result>): Promise<Result> {
    const counts = [
      { of: moves, by: hashOf(account) },
      { of: this.requests, by: networkOf(ip) },
    ];
    return this.charge(counts, work);
  }

  private async takeAttempt(account: string, here: string, { ip, device }: Origin): Promise<Taken> {
    const own = countsOf(wrongHere, here);
    if (device !== undefined) return this.take(own);
    const others = countsOf(this.wrongFromAddress, networkOf(ip));
    try {
      return await this.limits.take([...own, ...others, { of: wrongAnywhere, by: account }]);
    } catch (error) {
      // Many guess at this account: each address gets one attempt, and a right password passes.
      const isUnderAttack = error instanceof LimitReached && error.limit === wrongAnywhere.name;
      if (!isUnderAttack) throw refusalOf(error);
    }
    return this.take([{ of: quiet, by: here }, ...own.slice(1), ...others]);
  }

  private async take(counts: readonly Count[]): Promise<Taken> {
    return this.limits.take(counts).catch((error: unknown) => {
      throw refusalOf(error);
    });
  }

  private charge<Result>(counts: readonly Count[], work: () => Promise<Result>): Promise<Result> {
    return this.limits.charge(counts, work).catch((error: unknown) => {
      throw refusalOf(error);
    });
  }

  private serially<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.queues.get(name) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    this.queues.set(name, settled);
    void settled.then(() => this.queues.get(name) === settled && this.queues.delete(name));
    return result;
  }
}

function isGuess({ kind, code }: Rejected): boolean {
  return kind === 'not-found' || code === 'invite/unknown' || code.endsWith('/invalid-link');
}

const countsOf = (limits: readonly Limit[], by: string): Count[] => limits.map((of) => ({ of, by }));

const hereOf = (account: string, { ip, device }: Origin): string => `${account}:${device ?? networkOf(ip)}`;

/** Addresses of people do not belong into Redis. */
function hashOf(emailKey: string): string {
  return createHash('sha256').update(emailKey).digest('base64url');
}

async function givenBack(taken: Taken, error: unknown): Promise<never> {
  await taken.giveBack();
  throw error;
}

function toldBefore(error: unknown): undefined {
  if (!(error instanceof LimitReached)) throw error;
  return undefined;
}

function waitIn(minutes: number): string {
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes > 1 ? `${minutes} minutes` : 'a minute';
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof LimitReached)) return error;
  const { retryAfterSeconds } = error;
  const wait = waitIn(Math.ceil(retryAfterSeconds / 60));
  const isPassword = error.limit.startsWith('wrong');
  const message = isPassword
    ? `Too many wrong passwords from here. Please try again in ${wait}, sign in on a device that you have used before, or set a new password.`
    : `Too many attempts from here. Please try again in ${wait}.`;
  return new Rejected('auth/too-many-attempts', 'too-many', message, { retryAfterSeconds });
}
