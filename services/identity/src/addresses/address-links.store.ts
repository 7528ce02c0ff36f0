import type { Tx } from '@caravan/event-store/core/event-store';

type Ask = { readonly orgId: string; readonly userId: string; readonly requestId: string };
type Undo = { readonly orgId: string; readonly undoId: string };

export type DueConfirmation = {
  readonly to: string;
  readonly name: string;
  readonly organization: string;
  readonly isOwn: boolean;
};

/** Only the link with this token works from now on. Undefined when nothing is to be mailed. */
export async function storeConfirmationToken(
  tx: Tx,
  { orgId, userId, requestId }: Ask,
  { tokenHash, expiresAt }: { readonly tokenHash: Buffer; readonly expiresAt: Date },
): Promise<DueConfirmation | undefined> {
  const { rows } = await tx.query<DueConfirmation>(
    `update email_confirmations c set token = $4, expires_at = $5
        from persons p join organisations o on o.org_id = p.org_id
          join credentials k on (k.org_id, k.user_id) = (p.org_id, p.user_id)
          join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
        where (p.org_id, p.user_id) = (c.org_id, c.user_id) and (m.is_active or p.pending_domains <> '{}')
          and c.org_id = $1 and c.user_id = $2 and c.request_id = $3 and c.mailed_at is null
        returning c.email as "to", p.name, o.name as organization, c.email_key = k.email_key as is_own`,
    [orgId, userId, requestId, tokenHash, expiresAt],
  );
  return rows[0];
}

export async function markConfirmationMailed(tx: Tx, { orgId, userId, requestId }: Ask): Promise<void> {
  await tx.query(
    'update email_confirmations set mailed_at = now() where org_id = $1 and user_id = $2 and request_id = $3',
    [orgId, userId, requestId],
  );
}

export type DueUndo = {
  readonly to: string;
  readonly name: string;
  readonly organization: string;
  readonly newEmail: string;
  readonly hasChanged: boolean;
};

/** Only the link with this token works from now on. Undefined when nothing is to be mailed. */
export async function storeUndoToken(tx: Tx, { orgId, undoId }: Undo, tokenHash: Buffer): Promise<DueUndo | undefined> {
  const { rows } = await tx.query<DueUndo>(
    `update email_undos u set token = $3
        from persons p join organisations o on o.org_id = p.org_id
        where (p.org_id, p.user_id) = (u.org_id, u.user_id)
          and u.org_id = $1 and u.undo_id = $2 and u.mailed_at is null
        returning u.email as "to", p.name, o.name as organization, u.new_email,
          u.has_changed`,
    [orgId, undoId, tokenHash],
  );
  return rows[0];
}

export async function markUndoMailed(tx: Tx, { orgId, undoId }: Undo): Promise<void> {
  await tx.query('update email_undos set mailed_at = now() where org_id = $1 and undo_id = $2', [orgId, undoId]);
}
