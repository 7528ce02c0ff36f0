import { createHash } from 'node:crypto';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { type Provider, ProviderFailure, type Tokens } from '../providers/index.ts';

export type Grant = { readonly providerUserId: string; readonly code: string; readonly challenge: string };

/** A platform that hands out tokens as one does that rotates them: the refresh token is good once (F12). */
export class PlatformDouble implements Provider {
  readonly audience: 'owner' | 'organisation';
  isSetUp = true;
  /** Of each access token's life; less than the margin of renewal makes every use renew. */
  lifeSeconds = 6 * 3_600;
  refreshes = 0;
  readonly revoked: string[] = [];
  /** What the next calls of one kind do before they answer. */
  before: Partial<Record<'exchange' | 'refresh' | 'revoke', () => Promise<void>>> = {};
  private readonly codes = new Map<string, Grant>();
  private readonly good = new Map<string, string>();

  constructor(readonly name: FitnessProvider) {
    this.audience = name === 'strava' ? 'owner' : 'organisation';
  }

  authorizeUrl({ state, challenge, redirectUri }: { state: string; challenge: string; redirectUri: string }): string {
    const asked = new URLSearchParams({ state, code_challenge: challenge, redirect_uri: redirectUri });
    return `https://${this.name}.test/authorize?${asked.toString()}`;
  }

  /** Somebody says yes on the platform's page; answers the code that their browser brings back. */
  allow(authUrl: string, providerUserId: string = randomUUID()): Grant {
    const challenge = new URL(authUrl).searchParams.get('code_challenge') ?? '';
    const grant = { providerUserId, code: `canary-code-${randomUUID()}`, challenge };
    this.codes.set(grant.code, grant);
    return grant;
  }

  async exchange({ code, verifier }: { code: string; verifier: string }) {
    await this.before.exchange?.();
    const grant = this.codes.get(code);
    this.codes.delete(code);
    if (!grant) throw new ProviderFailure('refused', 'no such code');
    if (createHash('sha256').update(verifier).digest('base64url') !== grant.challenge)
      throw new ProviderFailure('refused', 'the verifier is another one');
    const { providerUserId } = grant;
    return { tokens: this.issue(providerUserId), providerUserId };
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    this.refreshes += 1;
    await this.before.refresh?.();
    const providerUserId = this.good.get(refreshToken);
    if (providerUserId === undefined) throw new ProviderFailure('reconnect', 'no such token');
    this.good.delete(refreshToken);
    return this.issue(providerUserId);
  }

  async revoke({ refreshToken }: { refreshToken: string }): Promise<void> {
    await this.before.revoke?.();
    this.good.delete(refreshToken);
    this.revoked.push(refreshToken);
  }

  list() {
    return Promise.resolve({ workouts: [], unreadable: 0 });
  }

  read() {
    return Promise.resolve(undefined);
  }

  verify() {
    return Promise.resolve(false);
  }

  notices() {
    return [];
  }

  private issue(providerUserId: string): Tokens {
    const accessToken = `canary-access-${randomUUID()}`;
    const refreshToken = `canary-refresh-${randomUUID()}`;
    this.good.set(refreshToken, providerUserId);
    const expiresAt = new Date(Date.now() + this.lifeSeconds * 1_000);
    return { accessToken, refreshToken, expiresAt, scopes: ['activity:read'] };
  }
}
