import { Inject, Injectable } from '@nestjs/common';
import { Revocations, sealTokens, TokenKeys } from '../accounts/index.ts';
import type { AccountName } from '../ports.ts';
import type { Tokens } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { storeAccount, storeConsent, type Stored } from './accounts.store.ts';

type Wanted = {
  readonly account: AccountName;
  readonly stateHash: Uint8Array<ArrayBuffer>;
  readonly isScored: boolean;
};

type Exchanged = { readonly tokens: Tokens; readonly providerUserId: string };

/** Accounts as their owners change them. */
@Injectable()
export class ConnectedAccounts {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Revocations) private readonly revocations: Revocations,
  ) {}

  /** Revokes a permission that was not stored, unless another member has connected the same account. */
  async connect({ account, stateHash, isScored }: Wanted, exchanged: Exchanged): Promise<Stored> {
    const { providerUserId, tokens } = exchanged;
    const { orgId, userId, provider } = account;
    const sealed = sealTokens(this.keys, { orgId, userId, provider }, tokens);
    const { scopes, expiresAt } = tokens;
    const connected = { account, stateHash, isScored, providerUserId, sealed, scopes, expiresAt };
    const stored = await storeAccount(this.rows, connected);
    if (stored.is === 'gone' || stored.is === 'another') await this.release(account, exchanged);
    return stored;
  }

  /** Revokes a permission that is not used. */
  release(account: AccountName, { providerUserId, tokens }: Exchanged): Promise<void> {
    return this.revocations.revokeUnused(account, providerUserId, tokens);
  }

  /** False: nothing is connected there. */
  consent(account: AccountName, isScored: boolean): Promise<boolean> {
    return storeConsent(this.rows, account, isScored);
  }
}
