import type { SessionState } from '@caravan/auth/session-liveness';
import type { Role } from '@caravan/contracts/events/fields';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from './organisation-zones.query.ts';

// With `housekeeping.store.ts` the only statements beyond one organisation: for those whose own is not known yet.

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

export async function credentialOf(pool: Pool, emailKey: string): Promise<StoredCredential | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<StoredCredential>(
      `select c.org_id as "orgId", c.user_id as "userId", c.password_hash as "passwordHash", p.name, p.email,
          m.role, p.profile_photo_url as "profilePhotoUrl", (m.is_active or p.held_for <> '{}') as "mayEnter",
          p.held_for <> '{}' as "isGuest"
        from credentials c
        join persons p on (p.org_id, p.user_id) = (c.org_id, c.user_id)
        join memberships m on (m.org_id, m.user_id) = (c.org_id, c.user_id)
        where c.email_key = $1`,
      [emailKey],
    ),
  );
  return rows[0];
}

export type StoredInvite = {
  readonly orgId: string;
  readonly inviteId: string;
  readonly zones: ZoneHistory;
  readonly teamId: string | null;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly closedAt: Date | null;
  readonly maxUses: number | null;
  readonly uses: number;
  readonly domains: readonly string[];
};

export async function inviteOf(pool: Pool, code: string): Promise<StoredInvite | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<StoredInvite>(
      `select i.org_id as "orgId", i.invite_id as "inviteId", ${zonesSql} as zones, i.team_id as "teamId",
          i.expires_at as "expiresAt", i.revoked_at as "revokedAt", o.closed_at as "closedAt", i.max_uses as "maxUses", i.uses, i.domains
        from invites i join organisations o on o.org_id = i.org_id where i.code = $1`,
      [code],
    ),
  );
  return rows[0];
}

/** Also when somebody may still come back to it; one's own does not count. */
export async function isAddressTaken(pool: Pool, emailKey: string, userId: string | null = null): Promise<boolean> {
  const { rowCount } = await withSystem(pool, (tx) =>
    tx.query(
      `select from credentials where email_key = $1 and user_id is distinct from $2
        union all
        select from email_undos where email_key = $1 and user_id is distinct from $2 and expires_at > now()`,
      [emailKey, userId],
    ),
  );
  return rowCount !== 0;
}

/** Does not say whose it is. */
export function addressTaken(): Rejected {
  return new Rejected('settings/address-taken', 'conflict', 'This email address cannot be used.');
}

/** Whether a session lives; an unknown one has ended. */
export async function sessionStateOf(pool: Pool, sessionId: string, at: Date): Promise<SessionState> {
  const { rowCount } = await withSystem(pool, (tx) =>
    tx.query('select from sessions where session_id = $1 and ended_at is null and idle_at > $2 and expires_at > $2', [
      sessionId,
      at,
    ]),
  );
  return rowCount === 1 ? 'live' : 'ended';
}

export async function sessionsEndedSince(pool: Pool, since: Date): Promise<string[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ session_id: string }>(
      `select session_id from sessions where ended_at > $1
        union all select session_id from erased_sessions where erased_at > $1`,
      [since],
    ),
  );
  return rows.map((row) => row.session_id);
}

export type StoredReset = {
  readonly orgId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly organization: string;
};

/** Undefined when it is unknown, used, expired, or of somebody deactivated. */
export async function resetOf(pool: Pool, tokenHash: Buffer, at: Date): Promise<StoredReset | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<StoredReset>(
      `select r.org_id as "orgId", r.user_id as "userId", p.name, p.email, m.role, o.name as organization
        from password_resets r
        join persons p on (p.org_id, p.user_id) = (r.org_id, r.user_id)
        join memberships m on (m.org_id, m.user_id) = (r.org_id, r.user_id)
        join organisations o on o.org_id = r.org_id
        where r.token = $1 and r.used_at is null and r.expires_at > $2 and (m.is_active or p.held_for <> '{}')`,
      [tokenHash, at],
    ),
  );
  return rows[0];
}

export type LinkHolder = { readonly orgId: string; readonly userId: string; readonly email: string };

/** Undefined when it is unknown, used, expired, or of somebody deactivated. */
export async function confirmationOf(pool: Pool, tokenHash: Buffer, at: Date): Promise<LinkHolder | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<LinkHolder>(
      `select c.org_id as "orgId", c.user_id as "userId", c.email from email_confirmations c
        join persons p on (p.org_id, p.user_id) = (c.org_id, c.user_id)
        join memberships m on (m.org_id, m.user_id) = (c.org_id, c.user_id)
        where c.token = $1 and c.expires_at > $2 and (m.is_active or p.held_for <> '{}')`,
      [tokenHash, at],
    ),
  );
  return rows[0];
}

/** Undefined when it is unknown, used or expired. */
export async function undoOf(pool: Pool, tokenHash: Buffer, at: Date): Promise<LinkHolder | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<LinkHolder>(
      'select org_id as "orgId", user_id as "userId", email from email_undos where token = $1 and expires_at > $2',
      [tokenHash, at],
    ),
  );
  return rows[0];
}
