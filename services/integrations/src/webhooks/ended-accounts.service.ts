import { Log } from '@caravan/service-kit/telemetry/log';
import { Inject, Injectable } from '@nestjs/common';
import { ImportsService } from '../importing/index.ts';
import { type AccountName, AccountTokens } from '../ports.ts';
import { Providers } from '../providers/index.ts';

/** Accounts that their owners have ended at the platform. */
@Injectable()
export class EndedAccounts {
  constructor(
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(AccountTokens) private readonly tokens: AccountTokens,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(Log) private readonly log: Log,
  ) {}

  async end({ orgId, userId, provider }: AccountName): Promise<void> {
    const account = { orgId, userId, provider };
    await this.retract(account);
    await this.tokens.handleRevocation(account);
    // A sync that was under way may have brought some in between.
    await this.retract(account);
    this.log.info({ event: 'platform-revoked', ...account }, 'a member has ended an account at its platform');
  }

  /** D21: what only its owner may see goes with the permission. */
  private async retract(account: AccountName): Promise<void> {
    if (this.providers.of(account.provider).audience === 'owner') await this.imports.retractAll(account);
  }
}
