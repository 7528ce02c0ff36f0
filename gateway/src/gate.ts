import type { Claims } from '@caravan/auth/claims';
import type { SessionLiveness } from '@caravan/auth/session-liveness';
import { bearerOf, refusedToken, type TokenVerifier } from '@caravan/auth/token-verifier';
import { Rejected } from '@caravan/event-store/rejected';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Who may pass: limits per address and per account, and a live bearer token for everything that is not open. */
export class Gate {
  private readonly addresses: RateLimiterMemory;
  private readonly accounts: RateLimiterMemory;
  private readonly tokens: TokenVerifier;
  private readonly sessions: SessionLiveness;

  // Counted in each gateway: a limit that asks Redis first would cost more than most answers. Sign-up and login are
  // counted exactly, in identity.
  constructor(
    tokens: TokenVerifier,
    sessions: SessionLiveness,
    limits: { perAddressPerMinute: number; perAccountPerMinute: number },
  ) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.addresses = new RateLimiterMemory({ points: limits.perAddressPerMinute, duration: 60 });
    this.accounts = new RateLimiterMemory({ points: limits.perAccountPerMinute, duration: 60 });
  }

  /** Throws `Rejected` (429). */
  async countAddress(address: string): Promise<void> {
    await count(this.addresses, address);
  }

  /** Throws `Rejected`: 401 without a valid token of a live session, 503 when that cannot be checked, 429. */
  async admit(authorization: string | undefined): Promise<Claims> {
    const token = bearerOf(authorization);
    if (!token) throw refusedToken();
    const claims = this.tokens.known(token) ?? (await this.tokens.verify(token));
    await this.sessions.assertLive(claims.sid);
    await count(this.accounts, claims.sub);
    return claims;
  }
}

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new Rejected('gateway/too-many-requests', 'too-many', 'Too many requests. Please wait a moment.', {
      retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000),
    });
  }
}
