import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '@caravan/event-store/event-store';
import { type AddressRow, type OpenedLink, type PersonRef, undoDays, useLink } from './addresses.query.ts';

/** Notes a way back to an address that is wanted away (`hasChanged` false) or has just gone; answers its id. */
export async function insertUndo(
  tx: Tx,
  { orgId, userId }: PersonRef,
  { old, newEmail, hasChanged }: { old: AddressRow; newEmail: string; hasChanged: boolean },
  at: Date,
): Promise<string> {
  const undoId = randomUUIDv7();
  await tx.query(
    `insert into email_undos (org_id, user_id, undo_id, email, email_key, new_email, has_changed, made_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[orgId, userId, undoId, old.email, old.emailKey, newEmail, hasChanged, at],
      new Date(at.getTime() + undoDays * 86_400_000),
    ],
  );
  return undoId;
}

/** Uses a way back up, and with it every later one: they lead to addresses that came after. Throws `Invalid`. */
export const useUndo = (tx: Tx, person: PersonRef, link: OpenedLink) =>
  useLink(
    tx,
    person,
    link,
    `with used as (
        select email, email_key, made_at from email_undos
        where org_id = $1 and user_id = $2 and token = $3 and expires_at > $4),
      forgotten as (
        delete from email_undos u using used
        where u.org_id = $1 and u.user_id = $2 and (u.made_at >= used.made_at or u.email_key = used.email_key))
      select email, email_key as "emailKey" from used`,
  );

/** No password fits any more until one is set by a mailed link. @param passwordHash of one that nobody knows */
export async function replacePassword(tx: Tx, { orgId, userId }: PersonRef, passwordHash: string): Promise<void> {
  await tx.query('update credentials set password_hash = $3 where org_id = $1 and user_id = $2', [
    orgId,
    userId,
    passwordHash,
  ]);
  await tx.query('delete from password_resets where org_id = $1 and user_id = $2', [orgId, userId]);
}
