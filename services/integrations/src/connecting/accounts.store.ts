import type { sealTokens } from '../accounts/index.ts';
import type { AccountName } from '../ports.ts';
import { isMissing, isTaken, type Rows } from '../rows/index.ts';

type Connected = {
  readonly account: AccountName;
  readonly stateHash: Uint8Array<ArrayBuffer>;
  readonly isScored: boolean;
  readonly providerUserId: string;
  readonly sealed: ReturnType<typeof sealTokens>;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
};

export type Stored =
  /** `wasScored`: of an account that is connected anew. */
  | { readonly is: 'connected'; readonly wasScored: boolean | undefined }
  /** The account at the platform is another member's here. */
  | { readonly is: 'taken' }
  /** Another account at the platform is connected. */
  | { readonly is: 'another' }
  /** The attempt was taken back, as when its person was erased or deactivated. */
  | { readonly is: 'gone' };

function rowOf({ isScored, providerUserId, sealed, scopes, expiresAt }: Connected) {
  const at = new Date();
  return {
    providerUserId,
    connectedAt: at,
    state: 'connected',
    accessTokenSealed: sealed.accessTokenSealed,
    refreshTokenSealed: sealed.refreshTokenSealed,
    tokenKeyId: sealed.tokenKeyId,
    scopes: [...scopes],
    expiresAt,
    refreshedAt: at,
    refusedAt: null,
    refreshLease: null,
    refreshLeaseEndsAt: null,
    isScored,
    consentedAt: at,
  };
}

export async function storeAccount(rows: Rows, connected: Connected): Promise<Stored> {
  const { account, stateHash, providerUserId } = connected;
  const { orgId, userId, provider } = account;
  const key = { orgId, userId, provider };
  const row = rowOf(connected);
  const { providerAccount: accounts } = rows.of(orgId);
  const before = await accounts.findFirst({ where: key, select: { isScored: true, providerUserId: true } });
  // Workouts of one account are compared with its own list: another account never takes its place.
  if (before && before.providerUserId !== providerUserId) return { is: 'another' };
  try {
    await rows.together(orgId, ({ connectAttempt, providerAccount }) => [
      // Fails where it is gone, and all of this with it.
      connectAttempt.delete({ where: { orgId_stateHash: { orgId, stateHash } } }),
      before
        ? providerAccount.update({ where: { orgId_userId_provider: key, providerUserId }, data: row })
        : providerAccount.create({ data: { ...key, ...row } }),
    ]);
  } catch (error) {
    // Its member came back twice at once: the other one was first.
    if (isTaken(error) && !before && (await accounts.count({ where: key })) > 0) return storeAccount(rows, connected);
    if (isTaken(error)) return { is: 'taken' };
    if (isMissing(error)) return { is: 'gone' };
    throw error;
  }
  return { is: 'connected', wasScored: before?.isScored };
}

/** False: nothing is connected there. */
export async function storeConsent(
  rows: Rows,
  { orgId, userId, provider }: AccountName,
  isScored: boolean,
): Promise<boolean> {
  const { count } = await rows.of(orgId).providerAccount.updateMany({
    where: { orgId, userId, provider },
    data: { isScored, consentedAt: new Date() },
  });
  return count > 0;
}
