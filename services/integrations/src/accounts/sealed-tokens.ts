import type { AccountName } from '../ports.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** An account's row as far as it holds tokens. */
export type TokenRow = {
  readonly accessTokenSealed: Uint8Array | null;
  readonly refreshTokenSealed: Uint8Array | null;
  readonly tokenKeyId: string | null;
};

/** The same of an account that has some. */
export type SealedTokens = { readonly [Column in keyof TokenRow]: NonNullable<TokenRow[Column]> };

export type TokenPair = { readonly accessToken: string; readonly refreshToken: string };

/** Seals a text as what it is, and opens it as nothing else. */
export type Keys = {
  seal(text: string, what: string): { readonly keyId: string; readonly sealed: Bytes };
  open(sealed: { readonly keyId: string; readonly sealed: Bytes }, what: string): string;
};

/** Bound to its account and to which of the two it is: none can be put into another's place. */
const nameOf = ({ orgId, userId, provider }: AccountName, which: 'access' | 'refresh') =>
  `${which} ${provider} ${orgId} ${userId}`;

export function sealTokens(keys: Keys, account: AccountName, { accessToken, refreshToken }: TokenPair) {
  const access = keys.seal(accessToken, nameOf(account, 'access'));
  const refresh = keys.seal(refreshToken, nameOf(account, 'refresh'));
  return { accessTokenSealed: access.sealed, refreshTokenSealed: refresh.sealed, tokenKeyId: access.keyId };
}

/** Null where there are none. */
export function openTokens(keys: Keys, account: AccountName, row: TokenRow): TokenPair | null {
  const { accessTokenSealed, refreshTokenSealed, tokenKeyId: keyId } = row;
  if (accessTokenSealed === null || refreshTokenSealed === null || keyId === null) return null;
  const open = (sealed: Uint8Array, which: 'access' | 'refresh') =>
    keys.open({ keyId, sealed: sealed as Bytes }, nameOf(account, which));
  return { accessToken: open(accessTokenSealed, 'access'), refreshToken: open(refreshTokenSealed, 'refresh') };
}

/** What a row looks like once its tokens are worth nothing. */
export const withoutTokensSql = `state = 'reconnect', access_token_sealed = null, refresh_token_sealed = null,
  token_key_id = null, expires_at = null, refresh_lease = null, refresh_lease_ends_at = null`;
