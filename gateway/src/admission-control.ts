import type { Claims } from '@caravan/auth/claims';
import type { SessionLiveness } from '@caravan/auth/session-liveness';
import { bearerOf, refusedToken, type TokenVerifier } from '@caravan/auth/token-verifier';
import { Rejected } from '@caravan/event-store/rejected';
import { type Limit, LimitReached, type Limits } from '@caravan/service-kit/limits';
import { networkOf } from '@caravan/service-kit/network';
import { Leases } from './leases.ts';

/** How many requests a minute are answered. */
export type AdmissionLimits = {
  /** Of whoever is signed in, wherever they are. */
  readonly perAccount: number;
  /** Of one address to each operation that is open: signing in, signing up, recovery. */
  readonly perAddress: number;
  /** Files of the web app for one address. */
  readonly filesPerAddress: number;
};

// A page whose session has run out asks for about this much before it knows.
const refusedTokensPerOpenCall = 10;

/**
 * Who may pass (D38): whoever is signed in is counted by account and never by address, since a whole office has one
 * address; what is open is counted by address. Guessing is slowed in identity, by account and device.
 */
export class AdmissionControl {
  private readonly open: Leases;
  private readonly strangeTokens: Limit;
  private readonly accounts: Leases;
  private readonly files: Leases;

  constructor(
    private readonly tokens: TokenVerifier,
    private readonly sessions: SessionLiveness,
    private readonly limits: Limits,
    { perAccount, perAddress, filesPerAddress }: AdmissionLimits,
  ) {
    const aMinute = (name: string, points: number): Limit => ({ name: `gateway:${name}`, points, seconds: 60 });
    this.open = new Leases(limits, aMinute('open', perAddress));
    this.strangeTokens = aMinute('tokens', perAddress * refusedTokensPerOpenCall);
    this.accounts = new Leases(limits, aMinute('account', perAccount));
    this.files = new Leases(limits, aMinute('files', filesPerAddress));
  }

  /** A call of an open operation, each counted apart. Throws `Rejected` (429). */
  async countOpen(operation: string, address: string): Promise<void> {
    await orRefuse(this.open.spend(`${networkOf(address)} ${operation}`));
  }

  /** A file of the web app. Throws `Rejected` (429). */
  async countFile(address: string): Promise<void> {
    await orRefuse(this.files.spend(networkOf(address)));
  }

  /** Throws `Rejected`: 401 without a valid token of a live session, 503 when that cannot be checked, 429. */
  async admit(authorization: string | undefined, address: string): Promise<Claims> {
    const token = bearerOf(authorization);
    const claims = (token === undefined ? undefined : this.tokens.known(token)) ?? (await this.verify(token, address));
    await this.sessions.assertLive(claims.sid);
    await orRefuse(this.accounts.spend(claims.sub));
    return claims;
  }

  /** Only tokens that are refused count: checking one costs more than answering most requests. */
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
