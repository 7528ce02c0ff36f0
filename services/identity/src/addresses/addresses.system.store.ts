import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

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

export type LinkHolder = { readonly orgId: string; readonly userId: string; readonly email: string };

/** Undefined when it is unknown, used, expired, or of somebody deactivated. */
export async function confirmationOf(pool: Pool, tokenHash: Buffer, at: Date): Promise<LinkHolder | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<LinkHolder>(
      `select c.org_id, c.user_id, c.email from email_confirmations c
        join persons p on (p.org_id, p.user_id) = (c.org_id, c.user_id)
        join memberships m on (m.org_id, m.user_id) = (c.org_id, c.user_id)
        where c.token = $1 and c.expires_at > $2 and (m.is_active or p.pending_domains <> '{}')`,
      [tokenHash, at],
    ),
  );
  return rows[0];
}

/** Undefined when it is unknown, used or expired. */
export async function undoOf(pool: Pool, tokenHash: Buffer, at: Date): Promise<LinkHolder | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<LinkHolder>('select org_id, user_id, email from email_undos where token = $1 and expires_at > $2', [
      tokenHash,
      at,
    ]),
  );
  return rows[0];
}

type Asked = { readonly from: Date; readonly to: Date };

export async function confirmationsToMail(
  pool: Pool,
  { from, to }: Asked,
): Promise<{ orgId: string; userId: string; requestId: string }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; userId: string; requestId: string }>(
      `select org_id, user_id, request_id
        from email_confirmations join memberships using (org_id, user_id) join persons using (org_id, user_id)
        where mailed_at is null and (is_active or pending_domains <> '{}') and requested_at between $1 and $2
        order by requested_at limit 1000`,
      [from, to],
    ),
  );
  return rows;
}

export async function undosToMail(pool: Pool, { from, to }: Asked): Promise<{ orgId: string; undoId: string }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; undoId: string }>(
      `select org_id, undo_id from email_undos
        where mailed_at is null and created_at between $1 and $2 order by created_at limit 1000`,
      [from, to],
    ),
  );
  return rows;
}

export async function forgetUndosOver(pool: Pool, before: Date): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from email_undos where expires_at < $1', [before]));
}
