import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import type { Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';

type Person = { readonly orgId: string; readonly userId: string };
type Leaving = { readonly name: string; readonly email: string; readonly emailConfirmedAt: Date | null };

/** Locks the person until the transaction ends. Throws `Rejected` when they are gone. */
export async function lockedPerson(tx: Tx, { orgId, userId }: Person): Promise<Leaving> {
  const { rows } = await tx.query<Leaving>(
    `select name, email, email_confirmed_at from persons
      where org_id = $1 and user_id = $2 for update`,
    [orgId, userId],
  );
  const [person] = rows;
  if (!person) throw new Rejected('me/gone', 'unauthenticated', 'This account does not exist any more.');
  return person;
}

export async function storeErasedSessions(tx: Tx, sessionIds: readonly string[], at: Date): Promise<void> {
  await tx.query('insert into erased_sessions (session_id, erased_at) select unnest($1::uuid[]), $2', [sessionIds, at]);
}

/** Credentials, sessions, links, follows and exports go with the person. */
export async function removePerson(tx: Tx, { orgId, userId }: Person, email: string): Promise<void> {
  await tx.query('delete from persons where org_id = $1 and user_id = $2', [orgId, userId]);
  await tx.query('delete from due_notices where org_id = $1 and $2 = any(named_ids)', [orgId, userId]);
  await tx.query('delete from mails where org_id = $1 and recipient = $2', [orgId, email]);
  await tx.query('delete from reset_requests where lower(email) = $1', [emailKeyOf(email)]);
}
