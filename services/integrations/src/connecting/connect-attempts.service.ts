import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { SessionLiveness } from '@caravan/auth/session-liveness';
import { Env } from '@caravan/service-kit/process/env';
import { Inject, Injectable } from '@nestjs/common';
import { TokenKeys } from '../accounts/index.ts';
import type { AccountName } from '../ports.ts';
import { Rows } from '../rows/index.ts';
import { storeAttempt, useAttempt } from './connect-attempts.store.ts';
import type { Screen } from './return-path.ts';

const attemptMinutes = 10;

export type Wish = { readonly isScored: boolean; readonly returnScreen: Screen };

export type Begun = {
  /** For the platform, which hands it back. */
  readonly state: string;
  /** PKCE: the hash of what is shown when the code is exchanged. */
  readonly challenge: string;
  /** For this browser alone. */
  readonly browser: string;
  readonly endsAt: Date;
};

export type Attempt = Wish & {
  readonly account: AccountName;
  /** That of whoever began it. */
  readonly sessionId: string;
  readonly stateHash: Uint8Array<ArrayBuffer>;
  readonly verifier: string;
};

/**
 * A connection under way: begun by one person in one browser, and finished there once, within ten minutes and while the
 * session lives that began it (S31).
 */
@Injectable()
export class ConnectAttempts {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Env) private readonly env: Env,
    @Inject(SessionLiveness) private readonly sessions: SessionLiveness,
  ) {}

  redirectUriOf(provider: FitnessProvider): string {
    return `${this.env.PUBLIC_URL}/api/fitness/${provider}/callback`;
  }

  /** Ends an attempt that the person began before at this platform. */
  async begin({ orgId, userId, provider }: AccountName, wish: Wish, sessionId: string): Promise<Begun> {
    const state = stateOf(orgId);
    const browser = randomText();
    const verifier = randomText();
    const stateHash = hashOf(state);
    const { keyId, sealed: verifierSealed } = this.keys.seal(verifier, verifierOf(stateHash));
    const expiresAt = new Date(Date.now() + attemptMinutes * 60_000);
    const whose = { orgId, userId, provider };
    const sealed = { verifierSealed, keyId };
    const attempt = { ...whose, sessionId, stateHash, browserHash: hashOf(browser), ...sealed, ...wish, expiresAt };
    await storeAttempt(this.rows, attempt);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return { state, challenge, browser, endsAt: expiresAt };
  }

  /** Whatever comes of it, its state is used up. `returnScreen` is known for an attempt that fails, too. */
  async take(
    provider: FitnessProvider,
    { state = '', browser = '' }: { readonly state?: string | undefined; readonly browser?: string | undefined },
  ): Promise<{ readonly attempt: Attempt | null; readonly returnScreen: Screen }> {
    const none = { attempt: null, returnScreen: 'account-settings' } as const;
    const orgId = orgIdIn(state);
    if (orgId === undefined) return none;
    const stateHash = hashOf(state);
    const now = new Date();
    const used = await useAttempt(this.rows, orgId, stateHash, now);
    if (!used) return none;
    const { row, isFirst } = used;
    const returnScreen = row.returnScreen as Screen;
    const { sessionId } = row;
    const isGood = isFirst && row.provider === provider && row.expiresAt > now;
    if (!isGood || !timingSafeEqual(row.browserHash, hashOf(browser))) return { attempt: null, returnScreen };
    const sealed = { keyId: row.keyId, sealed: row.verifierSealed };
    const verifier = this.keys.open(sealed, verifierOf(stateHash));
    const account = { orgId, userId: row.userId, provider };
    return { attempt: { account, sessionId, stateHash, verifier, isScored: row.isScored, returnScreen }, returnScreen };
  }

  /** Throws `Rejected`: unauthenticated once its session has ended, unavailable when nobody can tell. */
  assertSignedIn({ sessionId }: Attempt): Promise<void> {
    return this.sessions.assertLive(sessionId);
  }
}

const randomBytesInState = 32;

/** Names the organisation, whose rows alone are looked at when it comes back. */
function stateOf(orgId: string): string {
  return Buffer.concat([Buffer.from(orgId.replaceAll('-', ''), 'hex'), randomBytes(randomBytesInState)]).toString(
    'base64url',
  );
}

function orgIdIn(state: string): string | undefined {
  if (!/^[\w-]{64}$/.test(state)) return undefined;
  const hex = Buffer.from(state, 'base64url').subarray(0, 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const randomText = () => randomBytes(32).toString('base64url');
const hashOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());
const verifierOf = (stateHash: Uint8Array) => `verifier ${Buffer.from(stateHash).toString('hex')}`;
