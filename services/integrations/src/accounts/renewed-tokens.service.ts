import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { outsideRequests } from '@caravan/event-store/postgres/reading';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { AccountName, AccountTokens } from '../ports.ts';
import { ProviderFailure, Providers, type Tokens } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { AccountEndings } from './account-endings.service.ts';
import { claimRenewal, markTokensRefused, releaseRenewal, storeRenewedTokens } from './account-tokens.store.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import { TokenKeys } from './token-keys.service.ts';

/** A token that ends sooner is renewed before it is used. */
const marginMilliseconds = 5 * 60_000;
const lookAgainMilliseconds = 100;
/** Longer than a platform may take at most (PROVIDER_TIMEOUT_SECONDS): whoever holds a lease past that is dead. */
const leaseMilliseconds = 120_000;
const longestWaitMilliseconds = 20_000;
/** While it holds the lease nobody else renews: so long the database may be away. */
const longestStoringMilliseconds = leaseMilliseconds - 20_000;
const longestStoreRestMilliseconds = 5_000;
/** A token that is refused again so soon after it was renewed is refused for good. */
const refusedAgainMilliseconds = 10 * 60_000;

type Held = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly refreshTokenSealed: Uint8Array<ArrayBuffer> | null;
  readonly expiresAt: Date;
  readonly refreshedAt: Date | null;
  readonly refusedAt: Date | null;
  /** Somebody began to renew it and never came back: the platform may have given them others, which are lost. */
  readonly wasBrokenOff: boolean;
};

/** Lets others act for a member at a platform, by a token that is good. */
@Injectable()
export class RenewedTokens implements AccountTokens, OnModuleDestroy {
  private readonly underWay = new Map<string, Promise<string>>();

  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(AccountEndings) private readonly endings: AccountEndings,
  ) {}

  /** What a platform is answering now is stored first. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.underWay.values());
  }

  accessTokenOf({ orgId, userId, provider }: AccountName): Promise<string> {
    const name = `${orgId} ${userId} ${provider}`;
    const known = this.underWay.get(name);
    if (known) return known;
    // What a platform has answered is stored, also when nobody waits for it any more.
    const asked = outsideRequests(() => this.find({ orgId, userId, provider })).finally(() =>
      this.underWay.delete(name),
    );
    this.underWay.set(name, asked);
    return asked;
  }

  async handleRefusal({ orgId, userId, provider }: AccountName, accessToken: string): Promise<void> {
    const account = { orgId, userId, provider };
    const held = await this.read(account).catch(() => null);
    if (held?.accessToken !== accessToken) return;
    const at = new Date();
    const { refusedAt, refreshedAt } = held;
    const wasRenewed = refusedAt !== null && refreshedAt !== null && refreshedAt > refusedAt;
    if (wasRenewed && at.getTime() - refusedAt.getTime() < refusedAgainMilliseconds)
      return this.endings.giveUp(account);
    await markTokensRefused(this.rows, account, held, at);
  }

  handleRevocation(account: AccountName): Promise<void> {
    const areImportsRemoved = this.providers.of(account.provider).audience === 'owner';
    return this.endings.end(account, { why: 'revoked', areImportsRemoved });
  }

  private async find(account: AccountName): Promise<string> {
    const until = performance.now() + longestWaitMilliseconds;
    for (;;) {
      const held = await this.read(account);
      if (held.expiresAt.getTime() - Date.now() > marginMilliseconds) return held.accessToken;
      const refreshLease = randomUUID();
      const isClaimed = await claimRenewal(this.rows, account, held, { refreshLease, milliseconds: leaseMilliseconds });
      if (isClaimed) return await this.renew(account, held, refreshLease);
      // Another process renews it: its answer is as good.
      if (performance.now() > until) throw new ProviderFailure('busy', 'the tokens are being renewed', 5);
      await wait(lookAgainMilliseconds);
    }
  }

  private async read(account: AccountName): Promise<Held> {
    const row = await this.rows.of(account.orgId).providerAccount.findFirst({ where: account });
    const tokens = row?.state === 'connected' ? openTokens(this.keys, account, row) : null;
    if (!row || tokens === null) throw new ProviderFailure('reconnect', 'the account has no tokens');
    const { refreshTokenSealed, expiresAt, refreshedAt, refusedAt } = row;
    const wasBrokenOff = row.refreshLease !== null;
    return { ...tokens, refreshTokenSealed, expiresAt: expiresAt ?? new Date(0), refreshedAt, refusedAt, wasBrokenOff };
  }

  private async renew(account: AccountName, held: Held, refreshLease: string): Promise<string> {
    let tokens: Tokens;
    try {
      tokens = await this.providers.of(account.provider).refresh(held.refreshToken);
    } catch (error) {
      if (error instanceof ProviderFailure && error.why === 'reconnect')
        await this.endings.giveUp(account, { refreshLease, wasBrokenOff: held.wasBrokenOff });
      // Where that fails, the lease ends by its time.
      else await releaseRenewal(this.rows, account, refreshLease).catch(() => undefined);
      throw error;
    }
    await this.store(account, held, tokens);
    return tokens.accessToken;
  }

  /** Before it is used: where tokens rotate, those before are worth nothing from now on. */
  private async store(account: AccountName, held: Held, tokens: Tokens): Promise<void> {
    const sealed = sealTokens(this.keys, account, tokens);
    const { scopes, expiresAt } = tokens;
    const renewed = { sealed, scopes, expiresAt, refreshedAt: new Date() };
    const until = performance.now() + longestStoringMilliseconds;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await storeRenewedTokens(this.rows, account, held, renewed);
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
        await wait(Math.min(longestStoreRestMilliseconds, attempt * 5 * lookAgainMilliseconds));
      }
    }
  }
}
