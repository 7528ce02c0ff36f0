import type { Tx } from '@caravan/event-store/core/event-store';

/** A condition on the rows of a member or of an organisation. */
export type Whose = 'org_id = $1' | 'org_id = $1 and user_id = $2';

/** A connection under way comes to nothing without its attempt. */
export async function forgetAttempts(tx: Tx, whose: Whose, values: readonly string[]): Promise<void> {
  await tx.query(`delete from connect_attempts where ${whose}`, [...values]);
}

/** Removes the stored answers to the requests of an organisation's members. */
export async function forgetRequests(tx: Tx, orgId: string): Promise<void> {
  await tx.query('delete from es.requests where org_id = $1', [orgId]);
}
