import type { Claims } from '@caravan/auth/claims';
import type { SessionLiveness } from '@caravan/auth/session-liveness';
import { bearerOf, refusedToken, type TokenVerifier } from '@caravan/auth/token-verifier';
import { Rejected } from '@caravan/event-store/rejected';
import { type Limit, LimitReached, type Limits } from '@caravan/service-kit/limits';
import { networkOf } from '@caravan/service-kit/network';
import { Leases } from './leases.ts';

/** Requests a minute. */
export type AdmissionLimits = {
  readonly perAccount: number;
  readonly perAddress: number;
  readonly filesPerAddress: number;
  /** Of a platform, which tells of all its members from a few. */
  readonly deliveriesPerAddress: number;
};

// What a page asks for before it knows that its session has run out.
const refusedTokensPerOpenCall = 10;

/** The signed-in are counted by account: a whole office has one address (D38). Guessing is slowed in identity. */
export class AdmissionControl {
  private readonly open: Leases;
  private readonly strangeTokens: Limit;
  private readonly accounts: Leases;
  private readonly files: Leases;
  private readonly deliveries: Leases;

  constructor(
    private readonly tokens: TokenVerifier,
    private readonly sessions: SessionLiveness,
    private readonly limits: Limits,
    { perAccount, perAddress, filesPerAddress, deliveriesPerAddress }: AdmissionLimits,
  ) {
    const aMinute = (name: string, points: number): Limit => ({ name: `gateway:${name}`, points, seconds: 60 });
    this.open = new Leases(limits, aMinute('open', perAddress));
    this.strangeTokens = aMinute('tokens', perAddress * refusedTokensPerOpenCall);
    this.accounts = new Leases(limits, aMinute('account', perAccount));
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

  /** Throws `Rejected`: 401, 429, and 503 when the session cannot be checked. */
  async admit(authorization: string | undefined, address: string): Promise<Claims> {
    const token = bearerOf(authorization);
    const claims = (token === undefined ? undefined : this.tokens.known(token)) ?? (await this.verify(token, address));
    await this.sessions.assertLive(claims.sid);
    await orRefuse(this.accounts.spend(claims.sub));
    return claims;
  }

  /** Only refused tokens count: checking one costs more than answering most requests. */
  private async verify(token: string | undefined, address: string): Promise<Claims> {
    const taken = await orRefuse(this.limits.take([{ of: this.strangeTokens, by: networkOf(address) }]));
    if (token === undefined) throw refusedToken();
    const claims = await this.tokens.verify(token);
    await taken.giveBack();
    return claims;
  }
}

async function orRefuse<Result>(counted: Promise<Result>): Promise<Result> {
  try {
    return await counted;
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    const { retryAfterSeconds } = error;
    const message = `Too many requests at once. Please wait ${retryAfterSeconds} seconds and try again.`;
    throw new Rejected('gateway/too-many-requests', 'too-many', message, { retryAfterSeconds });
  }
}
