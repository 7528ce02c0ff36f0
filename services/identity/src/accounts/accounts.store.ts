import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import type { Tx } from '@caravan/event-store/core/event-store';

type Account = {
  readonly orgId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly timeZone: string;
  /** Domains at one of which a guest has to confirm an address; empty for members. */
  readonly pendingDomains: readonly string[];
};

/** False when the address has an account, in whichever organisation. */
export async function storeAccount(tx: Tx, account: Account, at: Date): Promise<boolean> {
  const { orgId, userId, name, email, timeZone, passwordHash, pendingDomains } = account;
  await tx.query(
    `insert into persons (org_id, user_id, name, email, time_zone, created_at, pending_domains)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [orgId, userId, name, email, timeZone, at, pendingDomains],
  );
  // The second of two at once waits here and finds the address taken.
  const { rowCount } = await tx.query(
    `insert into credentials (org_id, user_id, email_key, password_hash) values ($1, $2, $3, $4)
      on conflict (email_key) do nothing`,
    [orgId, userId, emailKeyOf(email), passwordHash],
  );
  return rowCount !== 0;
}
