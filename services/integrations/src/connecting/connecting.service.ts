import { type FitnessProvider, fitnessWords } from '@caravan/contracts/http/fitness';
import { Rejected } from '@caravan/kernel/rejected';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectedAccounts } from './connected-accounts.service.ts';
import type { AccountName } from '../ports.ts';
import { Imports } from '../ports.ts';
import { type Provider, ProviderFailure, Providers } from '../providers/index.ts';
import { type Attempt, type Begun, ConnectAttempts, type Wish } from './connect-attempts.service.ts';
import { type Outcome, outcomeOf, returnPath } from './return-path.ts';

/** What a browser comes back with; none of it is believed. */
export type Return = {
  readonly state?: string | undefined;
  readonly code?: string | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
  readonly browser?: string | undefined;
};

/** Leads a member to a platform and back. */
@Injectable()
export class Connecting {
  constructor(
    @Inject(ConnectAttempts) private readonly attempts: ConnectAttempts,
    @Inject(ConnectedAccounts) private readonly accounts: ConnectedAccounts,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(Imports) private readonly imports: Imports,
  ) {}

  async begin(
    account: AccountName,
    wish: Wish,
    sessionId: string,
  ): Promise<{ readonly authUrl: string; readonly begun: Begun }> {
    const provider = this.providers.of(account.provider);
    if (!provider.isSetUp) throw new Rejected('fitness/not-set-up', 'conflict', fitnessWords.notSetUp);
    const begun = await this.attempts.begin(account, wish, sessionId);
    const { state, challenge } = begun;
    const redirectUri = this.attempts.redirectUriOf(account.provider);
    return { authUrl: provider.authorizeUrl({ state, challenge, redirectUri }), begun };
  }

  /** Answers where the browser goes on to, whatever happened. */
  async finish(name: FitnessProvider, came: Return): Promise<string> {
    const { attempt, returnScreen } = await this.attempts.take(name, came);
    const outcome = attempt ? await this.outcomeOf(attempt, came) : 'expired';
    return returnPath(returnScreen, name, outcome);
  }

  private async outcomeOf(attempt: Attempt, { code, scope, error }: Return): Promise<Outcome> {
    if (error !== undefined) return 'refused';
    const provider = this.providers.of(attempt.account.provider);
    if (code === undefined || !provider.isSetUp) return 'expired';
    try {
      await this.attempts.assertSignedIn(attempt);
      return await this.connect(attempt, provider, { code, ...(scope !== undefined && { scope }) });
    } catch (failure) {
      if (failure instanceof ProviderFailure) return outcomeOf(failure.why);
      if (failure instanceof Rejected) return failure.kind === 'unavailable' ? 'unreachable' : 'expired';
      throw failure;
    }
  }

  private async connect(
    attempt: Attempt,
    provider: Provider,
    came: { readonly code: string; readonly scope?: string },
  ): Promise<Outcome> {
    const { account, verifier } = attempt;
    const redirectUri = this.attempts.redirectUriOf(account.provider);
    const exchanged = await provider.exchange({ ...came, verifier, redirectUri });
    // Consent is asked where nobody else may see what comes (D21).
    const isScored = attempt.isScored || provider.audience === 'organisation';
    // The platform may have taken its time.
    await this.attempts.assertSignedIn(attempt).catch(async (error: unknown) => {
      await this.accounts.release(account, exchanged);
      throw error;
    });
    const stored = await this.accounts.connect({ ...attempt, isScored }, exchanged);
    if (stored.is === 'taken' || stored.is === 'another') return stored.is;
    if (stored.is === 'gone') return 'expired';
    if (stored.wasScored !== undefined && stored.wasScored !== isScored) await this.imports.rescore(account, isScored);
    await this.imports.begin(account);
    return 'connected';
  }
}
