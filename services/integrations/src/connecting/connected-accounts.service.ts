import { Inject, Injectable } from '@nestjs/common';
import { Revocations, sealTokens, TokenKeys } from '../accounts/index.ts';
import type { AccountName } from '../ports.ts';
import type { Tokens } from '../providers/index.ts';
import { isMissing, isTaken, Rows } from '../rows/index.ts';

type Wanted = {
  readonly account: AccountName;
  readonly stateHash: Uint8Array<ArrayBuffer>;
  readonly isScored: boolean;
};

type Exchanged = { readonly tokens: Tokens; readonly providerUserId: string };

export type Stored =
  /** `wasScored`: of an account that is connected anew. */
  | { readonly is: 'connected'; readonly wasScored: boolean | undefined }
  /** The account at the platform is another member's here. */
  | { readonly is: 'taken' }
  /** Another account at the platform is connected. */
  | { readonly is: 'another' }
  /** The attempt was taken back, as when its person was erased or deactivated. */
  | { readonly is: 'gone' };

/** Rows of accounts as their owners change them. */
@Injectable()
export class AccountsStore {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Revocations) private readonly revocations: Revocations,
  ) {}

  /** Revokes a permission that was not stored, unless another member has connected the same account. */
  async connect(wanted: Wanted, exchanged: Exchanged): Promise<Stored> {
    const stored = await this.store(wanted, exchanged);
    if (stored.is === 'gone' || stored.is === 'another') await this.release(wanted.account, exchanged);
    return stored;
  }

  /** Tells the platform that its permission is not made use of. */
  release(account: AccountName, { providerUserId, tokens }: Exchanged): Promise<void> {
    return this.revocations.revokeUnused(account, providerUserId, tokens);
  }

  private async store(wanted: Wanted, exchanged: Exchanged): Promise<Stored> {
    const { account, stateHash, isScored } = wanted;
    const { tokens, providerUserId } = exchanged;
    const { orgId, userId, provider } = account;
    const key = { orgId, userId, provider };
    const at = new Date();
    const row = {
      providerUserId,
      connectedAt: at,
      state: 'connected',
      ...sealTokens(this.keys, key, tokens),
      scopes: [...tokens.scopes],
      expiresAt: tokens.expiresAt,
      refreshedAt: at,
      refusedAt: null,
      refreshLease: null,
      refreshLeaseEndsAt: null,
      isScored,
      consentedAt: at,
    };
    const { providerAccount: accounts } = this.rows.of(orgId);
    const before = await accounts.findFirst({ where: key, select: { isScored: true, providerUserId: true } });
    // What came of one account is compared with what it lists: another one never takes its place.
    if (before && before.providerUserId !== providerUserId) return { is: 'another' };
    try {
      await this.rows.together(orgId, ({ connectAttempt, providerAccount }) => [
        // Fails where it is gone, and all of this with it.
        connectAttempt.delete({ where: { orgId_stateHash: { orgId, stateHash } } }),
        before
          ? providerAccount.update({ where: { orgId_userId_provider: key, providerUserId }, data: row })
          : providerAccount.create({ data: { ...key, ...row } }),
      ]);
    } catch (error) {
      // Its member came back twice at once: the other one was first.
      if (isTaken(error) && !before && (await accounts.count({ where: key })) > 0) return this.store(wanted, exchanged);
      if (isTaken(error)) return { is: 'taken' };
      if (isMissing(error)) return { is: 'gone' };
      throw error;
    }
    return { is: 'connected', wasScored: before?.isScored };
  }

  /** False: nothing is connected there. */
  async consent({ orgId, userId, provider }: AccountName, isScored: boolean): Promise<boolean> {
    const { count } = await this.rows.of(orgId).providerAccount.updateMany({
      where: { orgId, userId, provider },
      data: { isScored, consentedAt: new Date() },
    });
    return count > 0;
  }
}
