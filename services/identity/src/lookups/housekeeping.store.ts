import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

// What sweeps find and forget, in all organisations at once; they return ids or a number.

export async function forgetInvitesOfClosed(pool: Pool, at: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `delete from invites i using organisations o
        where o.org_id = i.org_id and o.closed_at is not null and i.expires_at < $1`,
      [at],
    ),
  );
}

/** With their tokens; answers how many. */
export async function forgetSessionsOver(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await withSystem(pool, (tx) =>
    tx.query('delete from sessions where ended_at < $1 or expires_at < $1', [before]),
  );
  return rowCount ?? 0;
}

export async function forgetResetsOver(pool: Pool, before: Date): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from password_resets where expires_at < $1', [before]));
}

export async function mailsOlderThan(
  pool: Pool,
  before: Date,
  except: readonly string[],
): Promise<{ orgId: string; mailId: string }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; mailId: string }>(
      `select org_id as "orgId", mail_id as "mailId" from mails where written_at < $1 and mail_id <> all($2::uuid[])
        order by written_at limit 1000`,
      [before, except],
    ),
  );
  return rows;
}

export async function forgetMailsOlderThan(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await withSystem(pool, (tx) => tx.query('delete from mails where written_at < $1', [before]));
  return rowCount ?? 0;
}

/** The database refuses to drop one of the last year. Answers how many. */
export async function forgetAuditBefore(pool: Pool, before: Date): Promise<number> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ count: number }>('select audit.forget_before($1) as count', [before]),
  );
  return rows[0]?.count ?? 0;
}

type ExportRef = { orgId: string; userId: string; exportId: string };
const exportRef = 'org_id as "orgId", user_id as "userId", export_id as "exportId"';

export async function exportsBegunBefore(pool: Pool, before: Date): Promise<ExportRef[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<ExportRef>(`select ${exportRef} from exports where state = 'building' and requested_at < $1`, [before]),
  );
  return rows;
}

export async function exportsOver(pool: Pool, at: Date): Promise<ExportRef[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<ExportRef>(`select ${exportRef} from exports where expires_at <= $1`, [at]),
  );
  return rows;
}

type Asked = { readonly from: Date; readonly to: Date };

export async function confirmationsToMail(
  pool: Pool,
  { from, to }: Asked,
): Promise<{ orgId: string; userId: string; askId: string }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; userId: string; askId: string }>(
      `select org_id as "orgId", user_id as "userId", ask_id as "askId"
        from email_confirmations join memberships using (org_id, user_id) join persons using (org_id, user_id)
        where mailed_at is null and (is_active or held_for <> '{}') and asked_at between $1 and $2
        order by asked_at limit 1000`,
      [from, to],
    ),
  );
  return rows;
}

export async function undosToMail(pool: Pool, { from, to }: Asked): Promise<{ orgId: string; undoId: string }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; undoId: string }>(
      `select org_id as "orgId", undo_id as "undoId" from email_undos
        where mailed_at is null and made_at between $1 and $2 order by made_at limit 1000`,
      [from, to],
    ),
  );
  return rows;
}

export async function forgetUndosOver(pool: Pool, before: Date): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from email_undos where expires_at < $1', [before]));
}
