import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { invalidLink } from '../mail/index.ts';

const linkMinutes = 30;

type Person = { readonly orgId: string; readonly userId: string };

/** Belongs to no organisation yet, so no tenant's table holds it. */
export async function insertRequest(pool: Pool, email: string, at: Date): Promise<string> {
  const requestId = randomUUIDv7();
  await pool.query('insert into reset_requests (request_id, email, requested_at) values ($1, $2, $3)', [
    requestId,
    email,
    at,
  ]);
  return requestId;
}

export async function requestedAddress(pool: Pool, requestId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ email: string }>('select email from reset_requests where request_id = $1', [
    requestId,
  ]);
  return rows[0]?.email;
}

export async function requestsBefore(pool: Pool, before: Date, except: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ requestId: string }>(
    `select request_id from reset_requests where requested_at < $1 and request_id <> all($2::uuid[])
      order by requested_at limit 1000`,
    [before, except],
  );
  return rows.map((row) => row.requestId);
}

export async function deleteRequest(pool: Pool, requestId: string): Promise<void> {
  await pool.query('delete from reset_requests where request_id = $1', [requestId]);
}

export async function deleteRequestsBefore(pool: Pool, before: Date): Promise<void> {
  await pool.query('delete from reset_requests where requested_at < $1', [before]);
}

/** Every earlier one becomes worthless. Answers the organisation's name. */
export async function putReset(tx: Tx, { orgId, userId }: Person, tokenHash: Buffer, at: Date): Promise<string> {
  await lockPerson(tx, { orgId, userId });
  await tx.query('delete from password_resets where org_id = $1 and user_id = $2', [orgId, userId]);
  await tx.query(
    'insert into password_resets (token, org_id, user_id, created_at, expires_at) values ($1, $2, $3, $4, $5)',
    [tokenHash, orgId, userId, at, new Date(at.getTime() + linkMinutes * 60_000)],
  );
  const { rows } = await tx.query<{ name: string }>('select name from organisations where org_id = $1', [orgId]);
  return rows[0]?.name ?? '';
}

/** Throws `Invalid` when somebody else used it meanwhile. */
export async function useReset(
  tx: Tx,
  { orgId, userId }: Person,
  { tokenHash, passwordHash }: { tokenHash: Buffer; passwordHash: string },
  at: Date,
): Promise<void> {
  await lockPerson(tx, { orgId, userId });
  const { rowCount } = await tx.query(
    `update password_resets set used_at = $3
      where org_id = $1 and token = $2 and used_at is null and expires_at > $3`,
    [orgId, tokenHash, at],
  );
  if (rowCount === 0) throw invalidLink('reset');
  await tx.query('update credentials set password_hash = $3 where org_id = $1 and user_id = $2', [
    orgId,
    userId,
    passwordHash,
  ]);
}

/** Links and sessions of one person change one after the other. */
async function lockPerson(tx: Tx, { orgId, userId }: Person): Promise<void> {
  await tx.query('select from persons where org_id = $1 and user_id = $2 for no key update', [orgId, userId]);
}
