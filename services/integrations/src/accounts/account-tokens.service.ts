import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { outsideRequests } from '@caravan/event-store/reading';
import { Env } from '@caravan/service-kit/env';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsEnv } from '../env.ts';
import type { AccountKey } from '../ports.ts';
import { ProviderFailure, Providers, type Tokens } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { openTokens, sealTokens, withoutTokens } from './sealed-tokens.ts';
import { TokenKeys } from './token-keys.service.ts';

/** A token that ends sooner is renewed before it is used. */
const marginMilliseconds = 5 * 60_000;
const lookAgainMilliseconds = 100;
/** Longer than a platform may take for all attempts at one call: whoever holds a lease past that is dead. */
const leaseMillisecondsOf = ({ PROVIDER_TIMEOUT_SECONDS: seconds }: IntegrationsEnv) => seconds * 4_000 + 20_000;
const longestWaitMilliseconds = 20_000;

type Held = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly refreshTokenSealed: Uint8Array | null;
  readonly isFresh: boolean;
};

/** Lets others act for a member at a platform, with a token that is good. */
@Injectable()
export class AccountTokens {
  private readonly underWay = new Map<string, Promise<string>>();
  private readonly leaseMilliseconds: number;

  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(Env) env: IntegrationsEnv,
    @Inject(Log) private readonly log: Log,
  ) {
    this.leaseMilliseconds = leaseMillisecondsOf(env);
  }

  /**
   * Fails with `ProviderFailure`: 'reconnect' where its owner must connect anew.
   * @param rejected a token that the platform has just refused, whatever its time: another one is fetched
   */
  accessTokenOf(account: AccountKey, rejected?: string): Promise<string> {
    const name = `${account.orgId} ${account.userId} ${account.provider} ${rejected ?? ''}`;
    const known = this.underWay.get(name);
    if (known) return known;
    // What a platform has answered is stored, also when nobody waits for it any more.
    const asked = outsideRequests(() => this.find(account, rejected)).finally(() => this.underWay.delete(name));
    this.underWay.set(name, asked);
    return asked;
  }

  /** The platform takes the tokens no longer: its owner is asked to connect anew, and nobody is signed out of anything. */
  async giveUp(account: AccountKey): Promise<void> {
    await this.rows.of(account.orgId).providerAccount.updateMany({ where: account, data: withoutTokens });
    this.log.warn({ event: 'platform-reconnect', ...account }, 'a platform takes the tokens of an account no longer');
  }

  private async find(account: AccountKey, rejected: string | undefined): Promise<string> {
    const until = performance.now() + longestWaitMilliseconds;
    for (;;) {
      const held = await this.read(account, rejected);
      if (held.isFresh) return held.accessToken;
      const lease = await this.claim(account, held);
      if (lease !== null) return await this.renew(account, held, lease);
      // Another process renews it: its answer is as good.
      if (performance.now() > until) throw new ProviderFailure('busy', 'the tokens are being renewed', 5);
      await wait(lookAgainMilliseconds);
    }
  }

  private async read(account: AccountKey, rejected: string | undefined): Promise<Held> {
    const { orgId, userId, provider } = account;
    const row = await this.rows.of(orgId).providerAccount.findFirst({ where: { orgId, userId, provider } });
    const tokens = row?.state === 'connected' ? openTokens(this.keys, account, row) : null;
    if (!row || tokens === null) throw new ProviderFailure('reconnect', 'the account has no tokens');
    const left = (row.expiresAt?.getTime() ?? 0) - Date.now();
    const isFresh = tokens.accessToken !== rejected && left > marginMilliseconds;
    return { ...tokens, refreshTokenSealed: row.refreshTokenSealed, isFresh };
  }

  /** One of many gets it; and only while the tokens are those that were read. */
  private async claim(account: AccountKey, { refreshTokenSealed }: Held): Promise<string | null> {
    const refreshLease = randomUUID();
    const now = Date.now();
    const { count } = await this.rows.of(account.orgId).providerAccount.updateMany({
      where: {
        ...account,
        ...sameTokens(refreshTokenSealed),
        OR: [{ refreshLease: null }, { refreshLeaseEndsAt: { lt: new Date(now) } }],
      },
      data: { refreshLease, refreshLeaseEndsAt: new Date(now + this.leaseMilliseconds) },
    });
    return count === 1 ? refreshLease : null;
  }

  private async renew(account: AccountKey, held: Held, lease: string): Promise<string> {
    let tokens: Tokens;
    try {
      tokens = await this.providers.of(account.provider).refresh(held.refreshToken);
    } catch (error) {
      await this.letGo(account, lease, error);
      throw error;
    }
    await this.store(account, held, tokens);
    return tokens.accessToken;
  }

  /** Before it is used: where tokens rotate, those before are worth nothing from now on. */
  private async store(account: AccountKey, held: Held, tokens: Tokens): Promise<void> {
    const data = {
      ...sealTokens(this.keys, account, tokens),
      ...{ scopes: [...tokens.scopes], expiresAt: tokens.expiresAt, refreshedAt: new Date() },
      ...{ refreshLease: null, refreshLeaseEndsAt: null },
    };
    const where = { ...account, ...sameTokens(held.refreshTokenSealed) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.rows.of(account.orgId).providerAccount.updateMany({ where, data });
        return;
      } catch (error) {
        if (attempt === storeAttempts) throw error;
        this.log.warn({ err: error, attempt }, 'renewed tokens could not be stored yet');
        await wait(attempt * lookAgainMilliseconds * 5);
      }
    }
  }

  private async letGo(account: AccountKey, refreshLease: string, error: unknown): Promise<void> {
    const isOver = error instanceof ProviderFailure && error.why === 'reconnect';
    const data = isOver ? withoutTokens : { refreshLease: null, refreshLeaseEndsAt: null };
    await this.rows
      .of(account.orgId)
      .providerAccount.updateMany({ where: { ...account, refreshLease }, data })
      .catch((failure: unknown) => this.log.warn({ err: failure }, 'a lease on tokens ends by its time'));
    if (isOver) this.log.warn({ event: 'platform-reconnect', ...account }, 'a platform has refused to renew tokens');
  }
}

const storeAttempts = 6;

const sameTokens = (refreshTokenSealed: Uint8Array | null) => ({
  refreshTokenSealed: refreshTokenSealed as Uint8Array<ArrayBuffer>,
});
