import { randomUUIDv7 } from 'node:crypto';
import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import type { Role } from '@caravan/contracts/events/fields';
import type { Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { invalidLink } from '../mail/index.ts';

const hourMilliseconds = 3_600_000;
export const linkHours = 24;
/** Until then nobody else gets the old address. */
export const undoDays = 7;
const mailsAnHour = 3;

export type PersonRef = { readonly orgId: string; readonly userId: string };

export type AddressRow = {
  readonly name: string;
  readonly email: string;
  readonly emailKey: string;
  readonly emailConfirmedAt: Date | null;
  readonly role: Role;
  /** Empty for everybody but guests. */
  readonly pendingDomains: readonly string[];
};

/** Locks the person until the transaction ends. Throws `Rejected` when they are gone. */
export async function lockedAddress(tx: Tx, { orgId, userId }: PersonRef): Promise<AddressRow> {
  await tx.query('select from persons where org_id = $1 and user_id = $2 for no key update', [orgId, userId]);
  const { rows } = await tx.query<AddressRow>(
    `select p.name, p.email, c.email_key, p.email_confirmed_at,
        p.pending_domains, m.role
      from persons p
      join credentials c on (c.org_id, c.user_id) = (p.org_id, p.user_id)
      join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
      where p.org_id = $1 and p.user_id = $2`,
    [orgId, userId],
  );
  const [row] = rows;
  if (!row) throw new Rejected('me/gone', 'unauthenticated', 'This account does not exist any more.');
  return row;
}

/** Ends an earlier wish. Throws `Rejected` (too-many) after three mails in an hour. */
export async function askConfirmation(tx: Tx, { orgId, userId }: PersonRef, email: string, at: Date): Promise<string> {
  const hourAgo = new Date(at.getTime() - hourMilliseconds);
  const { rows } = await tx.query<{ requestId: string }>(
    `insert into email_confirmations as c (org_id, user_id, request_id, email, email_key, requested_at, mails, mails_since)
      values ($1, $2, $3, $4, $5, $6, 1, $6)
      on conflict (org_id, user_id) do update set request_id = excluded.request_id, email = excluded.email,
        email_key = excluded.email_key, requested_at = excluded.requested_at, mailed_at = null,
        token = case when c.email_key = excluded.email_key then c.token end,
        mails = case when c.mails_since <= $7 then 1 else c.mails + 1 end,
        mails_since = case when c.mails_since <= $7 then excluded.mails_since else c.mails_since end
      where c.mails_since <= $7 or c.mails < $8
      returning request_id`,
    [orgId, userId, randomUUIDv7(), email, emailKeyOf(email), at, hourAgo, mailsAnHour],
  );
  const [row] = rows;
  if (row) return row.requestId;
  throw new Rejected('email/too-many-mails', 'too-many', 'Three mails an hour is the most. Please try again later.', {
    retryAfterSeconds: hourMilliseconds / 1_000,
  });
}

export type OpenedLink = { readonly tokenHash: Buffer; readonly at: Date };

/** `statement` takes organisation, person, hash and instant. Throws `Invalid` for a link that is used or over. */
export async function useLink(
  tx: Tx,
  { orgId, userId }: PersonRef,
  { tokenHash, at }: OpenedLink,
  statement: string,
): Promise<{ email: string; emailKey: string }> {
  const { rows } = await tx.query<{ email: string; emailKey: string }>(statement, [orgId, userId, tokenHash, at]);
  const [row] = rows;
  if (!row) throw invalidLink('email');
  return row;
}

/** Answers the address it confirms. Throws `Invalid`. */
export const useConfirmation = (tx: Tx, person: PersonRef, link: OpenedLink) =>
  useLink(
    tx,
    person,
    link,
    `delete from email_confirmations where org_id = $1 and user_id = $2 and token = $3 and expires_at > $4
      returning email, email_key`,
  );

/** The count of mails goes with it: nothing is left to confirm. */
export async function dropConfirmation(tx: Tx, { orgId, userId }: PersonRef): Promise<void> {
  await tx.query('delete from email_confirmations where org_id = $1 and user_id = $2', [orgId, userId]);
}

/** Ends a wish for another address, and keeps the count of mails. */
export async function withdrawWish(tx: Tx, { orgId, userId }: PersonRef, own: AddressRow, at: Date): Promise<void> {
  await tx.query(
    `update email_confirmations set email = $3, email_key = $4, token = null, mailed_at = $5
      where org_id = $1 and user_id = $2 and email_key <> $4`,
    [orgId, userId, own.email, own.emailKey, at],
  );
}

export async function writeAddress(tx: Tx, { orgId, userId }: PersonRef, email: string, at: Date): Promise<void> {
  await tx.query('update persons set email = $3, email_confirmed_at = $4 where org_id = $1 and user_id = $2', [
    orgId,
    userId,
    email,
    at,
  ]);
}

/** Does not say whose it is. */
export function addressTaken(): Rejected {
  return new Rejected('email/address-taken', 'conflict', 'This email address cannot be used.');
}

/** Of two who want one address the second waits and is refused: `Rejected`. */
export async function takeAddress(tx: Tx, { orgId, userId }: PersonRef, emailKey: string): Promise<void> {
  // An insert can meet a conflict without an error, an update could not.
  const { rows } = await tx.query<{ passwordHash: string }>(
    'delete from credentials where org_id = $1 and user_id = $2 returning password_hash',
    [orgId, userId],
  );
  const { rowCount } = await tx.query(
    `insert into credentials (org_id, user_id, email_key, password_hash) values ($1, $2, $3, $4)
      on conflict (email_key) do nothing`,
    [orgId, userId, emailKey, rows[0]?.passwordHash],
  );
  if (rowCount === 0) throw addressTaken();
}

export async function letIn(tx: Tx, { orgId, userId }: PersonRef): Promise<void> {
  await tx.query("update persons set pending_domains = '{}' where org_id = $1 and user_id = $2", [orgId, userId]);
}

/** The wanted address, else the own one while it is unconfirmed. */
export async function addressToConfirm(tx: Tx, person: PersonRef): Promise<string | undefined> {
  const own = await lockedAddress(tx, person);
  const { rows } = await tx.query<{ email: string; emailKey: string }>(
    'select email, email_key from email_confirmations where org_id = $1 and user_id = $2',
    [person.orgId, person.userId],
  );
  const [wish] = rows;
  if (wish && wish.emailKey !== own.emailKey) return wish.email;
  return own.emailConfirmedAt === null ? own.email : undefined;
}

/** Answers the id. `hasChanged` false: another address is wanted, and not confirmed yet. */
export async function insertUndo(
  tx: Tx,
  { orgId, userId }: PersonRef,
  { old, newEmail, hasChanged }: { old: AddressRow; newEmail: string; hasChanged: boolean },
  at: Date,
): Promise<string> {
  const undoId = randomUUIDv7();
  await tx.query(
    `insert into email_undos (org_id, user_id, undo_id, email, email_key, new_email, has_changed, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      orgId,
      userId,
      undoId,
      old.email,
      old.emailKey,
      newEmail,
      hasChanged,
      at,
      new Date(at.getTime() + undoDays * 86_400_000),
    ],
  );
  return undoId;
}

/** Uses up every later one with it: they lead to addresses that came after. Throws `Invalid`. */
export const useUndo = (tx: Tx, person: PersonRef, link: OpenedLink) =>
  useLink(
    tx,
    person,
    link,
    `with used as (
        select email, email_key, created_at from email_undos
        where org_id = $1 and user_id = $2 and token = $3 and expires_at > $4),
      forgotten as (
        delete from email_undos u using used
        where u.org_id = $1 and u.user_id = $2 and (u.created_at >= used.created_at or u.email_key = used.email_key))
      select email, email_key from used`,
  );

/** @param passwordHash of a password that nobody knows: none fits until one is set by a mailed link */
export async function replacePassword(tx: Tx, { orgId, userId }: PersonRef, passwordHash: string): Promise<void> {
  await tx.query('update credentials set password_hash = $3 where org_id = $1 and user_id = $2', [
    orgId,
    userId,
    passwordHash,
  ]);
  await forgetPasswordResets(tx, { orgId, userId });
}

export async function forgetPasswordResets(tx: Tx, { orgId, userId }: PersonRef): Promise<void> {
  await tx.query('delete from password_resets where org_id = $1 and user_id = $2', [orgId, userId]);
}
