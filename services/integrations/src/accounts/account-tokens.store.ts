import type { Tx } from '@caravan/event-store/core/event-store';
import type { AccountName } from '../ports.ts';
import type { Rows } from '../rows/index.ts';
import { type sealTokens, withoutTokensSql } from './sealed-tokens.ts';

type NewTokens = ReturnType<typeof sealTokens>;
/** Each sealing differs, so these bytes are of one renewal alone. */
export type TokensBefore = { readonly refreshTokenSealed: Uint8Array<ArrayBuffer> | null };
type Renewed = {
  readonly sealed: NewTokens;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly refreshedAt: Date;
};

/** Unless they were renewed meanwhile. */
export async function replaceSealedTokens(
  rows: Rows,
  { orgId, userId, provider }: AccountName,
  { refreshTokenSealed }: TokensBefore,
  sealed: NewTokens,
): Promise<void> {
  const where = { orgId, userId, provider, refreshTokenSealed };
  await rows.of(orgId).providerAccount.updateMany({ where, data: sealed });
}

/** The tokens are over as of now, whatever the platform said of their time. */
export async function markTokensRefused(
  rows: Rows,
  { orgId, userId, provider }: AccountName,
  { refreshTokenSealed }: TokensBefore,
  at: Date,
): Promise<void> {
  const where = { orgId, userId, provider, refreshTokenSealed };
  await rows.of(orgId).providerAccount.updateMany({ where, data: { expiresAt: new Date(0), refusedAt: at } });
}

/** One of many processes gets the lease, and only while the tokens are those that were read. */
export async function claimRenewal(
  rows: Rows,
  { orgId, userId, provider }: AccountName,
  { refreshTokenSealed }: TokensBefore,
  lease: { readonly refreshLease: string; readonly milliseconds: number },
): Promise<boolean> {
  const now = Date.now();
  const isFree = [{ refreshLease: null }, { refreshLeaseEndsAt: { lt: new Date(now) } }];
  const { count } = await rows.of(orgId).providerAccount.updateMany({
    where: { orgId, userId, provider, refreshTokenSealed, OR: isFree },
    data: { refreshLease: lease.refreshLease, refreshLeaseEndsAt: new Date(now + lease.milliseconds) },
  });
  return count === 1;
}

export async function storeRenewedTokens(
  rows: Rows,
  { orgId, userId, provider }: AccountName,
  { refreshTokenSealed }: TokensBefore,
  { sealed, scopes, expiresAt, refreshedAt }: Renewed,
): Promise<void> {
  await rows.of(orgId).providerAccount.updateMany({
    where: { orgId, userId, provider, refreshTokenSealed },
    data: {
      accessTokenSealed: sealed.accessTokenSealed,
      refreshTokenSealed: sealed.refreshTokenSealed,
      tokenKeyId: sealed.tokenKeyId,
      scopes: [...scopes],
      expiresAt,
      refreshedAt,
      refreshLease: null,
      refreshLeaseEndsAt: null,
    },
  });
}

export async function releaseRenewal(
  rows: Rows,
  { orgId, userId, provider }: AccountName,
  refreshLease: string,
): Promise<void> {
  await rows.of(orgId).providerAccount.updateMany({
    where: { orgId, userId, provider, refreshLease },
    data: { refreshLease: null, refreshLeaseEndsAt: null },
  });
}

/**
 * False when the account has no tokens any more.
 * @param refreshLease of the renewal that the platform refused; null where no renewal was
 */
export async function dropTokens(
  tx: Tx,
  { orgId, userId, provider }: AccountName,
  refreshLease: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update provider_accounts set ${withoutTokensSql} where org_id = $1 and user_id = $2 and provider = $3
           and state = 'connected' and ($4::uuid is null or refresh_lease = $4)`,
    [orgId, userId, provider, refreshLease],
  );
  return rowCount !== 0;
}

/** False when nothing was connected. */
export async function forgetAccount(tx: Tx, { orgId, userId, provider }: AccountName): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from provider_accounts where org_id = $1 and user_id = $2 and provider = $3',
    [orgId, userId, provider],
  );
  return rowCount !== 0;
}
