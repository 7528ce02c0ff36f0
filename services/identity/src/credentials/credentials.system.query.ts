import type { Role } from '@caravan/contracts/events/fields';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

export type StoredCredential = {
  readonly orgId: string;
  readonly userId: string;
  readonly passwordHash: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly profilePhotoUrl: string | null;
  readonly mayEnter: boolean;
  readonly isGuest: boolean;
};

/** Finds the account of an address, whose organisation is not known yet. */
export async function credentialOf(pool: Pool, emailKey: string): Promise<StoredCredential | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<StoredCredential>(
      `select c.org_id, c.user_id, c.password_hash, p.name, p.email,
          m.role, p.profile_photo_url, (m.is_active or p.pending_domains <> '{}') as may_enter,
          p.pending_domains <> '{}' as is_guest
        from credentials c
        join persons p on (p.org_id, p.user_id) = (c.org_id, c.user_id)
        join memberships m on (m.org_id, m.user_id) = (c.org_id, c.user_id)
        where c.email_key = $1`,
      [emailKey],
    ),
  );
  return rows[0];
}
