import { type Access, assertAccess } from '@caravan/auth/access';
import type { Claims } from '@caravan/auth/claims';
import type { RefusedTokens } from '@caravan/auth/refused-tokens';
import type { SessionLiveness } from '@caravan/auth/session-liveness';
import { bearerOf, RefusedToken, type TokenVerifier } from '@caravan/auth/token-verifier';
import { Rejected } from '@caravan/kernel/rejected';
import { isRefusal, type Limit, LimitReached, type Limits } from '@caravan/service-kit/storage/limits';
import { networkOf } from '@caravan/service-kit/http/network';
import { Leases } from './leases.ts';
import { type Write, WriteLimits } from './write-limits.ts';

/** Requests a minute. */
export type AdmissionLimits = {
  readonly perAccount: number;
  readonly perAddress: number;
  readonly filesPerAddress: number;
  /** Of a platform, which tells of all its members from a few. */
  readonly deliveriesPerAddress: number;
  /** Multiplies the limits of everything that writes (libs/contracts/http/write-limits.ts). */
  readonly writesFactor: number;
};

export type AdmissionParts = {
  readonly tokens: TokenVerifier;
  readonly sessions: SessionLiveness;
  readonly limits: Limits;
  readonly refusedTokens: Pick<RefusedTokens, 'note'>;
};

type Caller = { readonly authorization: string | undefined; readonly address: string };

// What a page asks for before it knows that its session has run out.
const refusedTokensPerOpenCall = 10;

/** The signed-in are counted by account: a whole office has one address (D38). Guessing is slowed in identity. */
export class AdmissionControl {
  private readonly tokens: TokenVerifier;
  private readonly sessions: SessionLiveness;
  private readonly limits: Limits;
  private readonly refusedTokens: Pick<RefusedTokens, 'note'>;
  private readonly open: Leases;
  private readonly strangeTokens: Limit;
  private readonly accounts: Leases;
  private readonly writes: WriteLimits;
  private readonly files: Leases;
  private readonly deliveries: Leases;

  constructor(
    { tokens, sessions, limits, refusedTokens }: AdmissionParts,
    { perAccount, perAddress, filesPerAddress, deliveriesPerAddress, writesFactor }: AdmissionLimits,
  ) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.limits = limits;
    this.refusedTokens = refusedTokens;
    const aMinute = (name: string, points: number): Limit => ({ name: `gateway:${name}`, points, seconds: 60 });
    this.open = new Leases(limits, aMinute('open', perAddress));
    this.strangeTokens = aMinute('tokens', perAddress * refusedTokensPerOpenCall);
    const account = aMinute('account', perAccount);
    this.accounts = new Leases(limits, account);
    this.writes = new WriteLimits(limits, account, writesFactor);
    this.files = new Leases(limits, aMinute('files', filesPerAddress));
    this.deliveries = new Leases(limits, aMinute('deliveries', deliveriesPerAddress));
  }

  async countOpen(operation: string, address: string): Promise<void> {
    await orRefuse(this.open.spend(`${networkOf(address)} ${operation}`));
  }

  async countFile(address: string): Promise<void> {
    await orRefuse(this.files.spend(networkOf(address)));
  }

  async countDelivery(operation: string, address: string): Promise<void> {
    await orRefuse(this.deliveries.spend(`${networkOf(address)} ${operation}`));
  }

  /** Throws `Rejected`: 401, 409 for a guest, 403, 429, and 503 when the session cannot be checked. */
  async admit(caller: Caller, access: Exclude<Access, 'public'>, write?: Write): Promise<Claims> {
    const { authorization, address } = caller;
    try {
      const token = bearerOf(authorization);
      const known = token === undefined ? undefined : this.tokens.cachedClaims(token);
      const claims = known ?? (await this.verify(token, address));
      await assertAccess(claims, access, this.sessions);
      await orRefuse(write === undefined ? this.accounts.spend(claims.sub) : this.writes.spend(write, claims.sub));
      return claims;
    } catch (error) {
      this.refusedTokens.note(error, address);
      throw error;
    }
  }

  /** Only refused tokens count: checking one costs more than answering most requests. */
  private async verify(token: string | undefined, address: string): Promise<Claims> {
    const taken = await orRefuse(this.limits.take([{ of: this.strangeTokens, by: networkOf(address) }]));
    if (token === undefined) throw new RefusedToken('missing');
    try {
      const claims = await this.tokens.verify(token);
      await taken.giveBack();
      return claims;
    } catch (error) {
      // Without the keys nobody can tell a good token from a forged one.
      if (!isRefusal(error)) await taken.giveBack();
      throw error;
    }
  }
}

async function orRefuse<Result>(counted: Promise<Result>): Promise<Result> {
  try {
    return await counted;
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    const { retryAfterSeconds } = error;
    const message = `Too many requests at once. Please wait ${waitOf(retryAfterSeconds)} and try again.`;
    throw new Rejected('request/too-many', 'too-many', message, { retryAfterSeconds });
  }
}

const longestInSeconds = 90;

function waitOf(seconds: number): string {
  return seconds > longestInSeconds ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
}
