import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { SessionTimes } from './session-rules.ts';

const secretBytes = 32;

/** `<organisation>.<256 bits>`: looked up among that organisation's rows only, by its hash. */
export type RefreshToken = { readonly text: string; readonly orgId: string; readonly hash: Buffer };

export const refreshKeyOf = (keyEncryptionKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'caravan refresh tokens', secretBytes));

export const firstToken = (orgId: string): RefreshToken => tokenOf(orgId, randomBytes(secretBytes));

/** The next token follows from the one before, so a repeated request gets the same answer. */
export const tokenAfter = (refreshKey: Buffer, { orgId, text }: RefreshToken): RefreshToken =>
  tokenOf(orgId, createHmac('sha256', refreshKey).update(text).digest());

const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/;

export function readRefreshToken(text: string | undefined): RefreshToken | undefined {
  const [, orgId] = pattern.exec(text ?? '') ?? [];
  return text === undefined || orgId === undefined ? undefined : { text, orgId, hash: hashOf(text) };
}

function tokenOf(orgId: string, secret: Buffer): RefreshToken {
  const text = `${orgId}.${secret.toString('base64url')}`;
  return { text, orgId, hash: hashOf(text) };
}

// 256 random bits need no slow hash.
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export async function insertToken(
  tx: Tx,
  { token, sessionId, parentHash }: { token: RefreshToken; sessionId: string; parentHash: Buffer | null },
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into refresh_tokens (token_hash, org_id, session_id, parent_hash, created_at) values ($1, $2, $3, $4, $5)`,
    [token.hash, token.orgId, sessionId, parentHash, at],
  );
}

/** The next one follows, and the token is used up. */
export async function exchangeToken(
  tx: Tx,
  { token, next, sessionId }: { token: RefreshToken; next: RefreshToken; sessionId: string },
  at: Date,
): Promise<void> {
  await tx.query('update refresh_tokens set used_at = $2 where token_hash = $1', [token.hash, at]);
  await insertToken(tx, { token: next, sessionId, parentHash: token.hash }, at);
}

export async function sessionOfToken(tx: Tx, token: RefreshToken): Promise<string | undefined> {
  const { rows } = await tx.query<{ sessionId: string }>(
    'select session_id from refresh_tokens where org_id = $1 and token_hash = $2',
    [token.orgId, token.hash],
  );
  return rows[0]?.sessionId;
}

/** The session of a token, and how far the two have come. */
type Family = SessionTimes & {
  readonly sessionId: string;
  readonly userId: string;
  readonly usedAt: Date | null;
  readonly isChildUsed: boolean;
};

/** Locked until the transaction ends. */
export async function lockedFamilyOf(tx: Tx, token: RefreshToken): Promise<Family | undefined> {
  const sessionId = await sessionOfToken(tx, token);
  if (sessionId === undefined) return undefined;
  // The lock first, then the look: of twenty at once each sees what the one before it did.
  await tx.query('select from sessions where session_id = $1 for update', [sessionId]);
  const { rows } = await tx.query<Family>(
    `select s.session_id, s.user_id, s.idle_at, s.expires_at,
        s.ended_at, t.used_at,
        exists (select from refresh_tokens c where c.session_id = t.session_id and c.parent_hash = t.token_hash
          and c.used_at is not null) as is_child_used
      from refresh_tokens t join sessions s on (s.org_id, s.session_id) = (t.org_id, t.session_id)
      where t.org_id = $1 and t.token_hash = $2`,
    [token.orgId, token.hash],
  );
  return rows[0];
}
