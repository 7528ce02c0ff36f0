import { randomUUID } from 'node:crypto';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { AccountName } from '../ports.ts';
import type { Rows } from '../rows/index.ts';
import type { Whose } from './attempts.store.ts';
import { type SealedTokens, type sealTokens, withoutTokensSql } from './sealed-tokens.ts';

export type RevocationRef = { readonly orgId: string; readonly revocationId: string };

export type Revocation = RevocationRef &
  AccountName &
  SealedTokens & { readonly providerUserId: string; readonly requestedAt: Date; readonly tries: number };

const leaseSeconds = 120;

const insertSql = `insert into pending_revocations (org_id, revocation_id, user_id, provider, provider_user_id,
  access_token_sealed, refresh_token_sealed, token_key_id, requested_at, due_at)`;
const ref = 'org_id, revocation_id';

/** In the transaction that ends the permission here: the platform is told for as long as it takes. */
export async function insertRevocation(
  tx: Tx,
  { orgId, userId, provider }: AccountName,
  { providerUserId, tokens }: { readonly providerUserId: string; readonly tokens: SealedTokens },
): Promise<RevocationRef> {
  const revocationId = randomUUID();
  const { accessTokenSealed, refreshTokenSealed, tokenKeyId } = tokens;
  await tx.query(`${insertSql} values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())`, [
    orgId,
    revocationId,
    userId,
    provider,
    providerUserId,
    accessTokenSealed,
    refreshTokenSealed,
    tokenKeyId,
  ]);
  return { orgId, revocationId };
}

/** The account stays, without tokens. Undefined: nothing is connected; null: it has no tokens to revoke. */
export async function revokeAccount(
  tx: Tx,
  { orgId, userId, provider }: AccountName,
): Promise<RevocationRef | null | undefined> {
  const account = [orgId, userId, provider];
  const whose = 'org_id = $1 and user_id = $2 and provider = $3';
  const found = await tx.query(`select from provider_accounts where ${whose} for update`, account);
  if (found.rowCount === 0) return undefined;
  const { rows } = await tx.query<RevocationRef>(
    `${insertSql}
     select org_id, gen_random_uuid(), user_id, provider, provider_user_id, access_token_sealed, refresh_token_sealed,
       token_key_id, now(), now()
     from provider_accounts where ${whose} and refresh_token_sealed is not null returning ${ref}`,
    account,
  );
  await tx.query(`update provider_accounts set ${withoutTokensSql} where ${whose}`, account);
  return rows[0] ?? null;
}

/** The accounts go, and what they were permitted is to be revoked. */
export async function revokeAndForget(tx: Tx, whose: Whose, values: readonly string[]): Promise<RevocationRef[]> {
  const { rows } = await tx.query<RevocationRef>(
    `with gone as (delete from provider_accounts where ${whose} returning *)
     ${insertSql}
     select org_id, gen_random_uuid(), user_id, provider, provider_user_id, access_token_sealed, refresh_token_sealed,
       token_key_id, now(), now()
     from gone where refresh_token_sealed is not null returning ${ref}`,
    [...values],
  );
  return rows;
}

/** For this process alone, until its lease is over. Undefined: it is done, not due, or somebody else is at it. */
export async function claimRevocation(tx: Tx, { orgId, revocationId }: RevocationRef): Promise<Revocation | undefined> {
  const { rows } = await tx.query<Revocation>(
    `update pending_revocations set leased_until = now() + ${leaseSeconds} * interval '1 second', tries = tries + 1
     where org_id = $1 and revocation_id = $2 and due_at <= now() and (leased_until is null or leased_until < now())
     returning ${ref}, user_id, provider, provider_user_id,
       access_token_sealed, refresh_token_sealed,
       token_key_id, requested_at, tries`,
    [orgId, revocationId],
  );
  return rows[0];
}

export async function forgetRevocation(tx: Tx, { orgId, revocationId }: RevocationRef): Promise<void> {
  await tx.query('delete from pending_revocations where org_id = $1 and revocation_id = $2', [orgId, revocationId]);
}

export async function replaceSealedRevocation(
  rows: Rows,
  { orgId, revocationId }: RevocationRef,
  sealed: ReturnType<typeof sealTokens>,
): Promise<void> {
  await rows.of(orgId).pendingRevocation.updateMany({ where: { orgId, revocationId }, data: sealed });
}

export async function postponeRevocation(tx: Tx, { orgId, revocationId }: RevocationRef, seconds: number) {
  await tx.query(
    `update pending_revocations set leased_until = null, due_at = now() + $3 * interval '1 second'
     where org_id = $1 and revocation_id = $2`,
    [orgId, revocationId, seconds],
  );
}
