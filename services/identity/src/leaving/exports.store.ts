import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { Role } from '@caravan/contracts/events/fields';
import type { ExportState } from '@caravan/contracts/http/people';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { recordAct } from '../audit/index.ts';

const dayMilliseconds = 24 * 3_600_000;
const keptMilliseconds = dayMilliseconds;
const exportsADay = 2;

export type ExportRef = { readonly orgId: string; readonly userId: string; readonly exportId: string };
type Person = Pick<ExportRef, 'orgId' | 'userId'>;
type Row = Pick<ExportState, 'state' | 'sizeBytes'> & {
  readonly exportId: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date | null;
  readonly recentRequests: readonly Date[];
};

const columns = `export_id, state, requested_at, expires_at,
  size_bytes, recent_requests`;

export function exportKeyOf({ orgId, exportId }: Pick<ExportRef, 'orgId' | 'exportId'>): string {
  return `${orgId}/exports/${exportId}.zip`;
}

/** The state of the caller's export; one that is over counts as none. */
export async function exportOf(pool: Pool, { orgId, userId, at }: Caller): Promise<Row | undefined> {
  const { rows } = await tenantQuery<Row>(
    pool,
    orgId,
    `select ${columns} from exports where org_id = $1 and user_id = $2 and (expires_at is null or expires_at > $3)`,
    [orgId, userId, at],
  );
  return rows[0];
}

/** Begins an export unless one is being built; an older file is discarded. Throws `Rejected` after two a day. */
export function beginExport(pool: Pool, { orgId, userId, at, meta }: Caller): Promise<Row> {
  return withTenant(pool, orgId, async (tx) => {
    await tx.query('select from persons where org_id = $1 and user_id = $2 for no key update', [orgId, userId]);
    const { rows } = await tx.query<Row>(`select ${columns} from exports where org_id = $1 and user_id = $2`, [
      orgId,
      userId,
    ]);
    const [before] = rows;
    if (before?.state === 'building') return before;
    const lately = recent(before?.recentRequests ?? [], at);
    if (before) await discard(tx, exportKeyOf({ orgId, exportId: before.exportId }), at);
    const begun = await tx.query<Row>(
      `insert into exports (org_id, user_id, export_id, state, requested_at, recent_requests)
        values ($1, $2, $3, 'building', $4, $5)
        on conflict (org_id, user_id) do update set export_id = excluded.export_id, state = 'building',
          requested_at = excluded.requested_at, expires_at = null, size_bytes = null, recent_requests = excluded.recent_requests
        returning ${columns}`,
      [orgId, userId, randomUUIDv7(), at, [...lately, at]],
    );
    const [row] = begun.rows;
    if (!row) throw new Error('An export was begun and is not there');
    await recordAct({ tx, meta }, 'data.export-requested');
    return row;
  });
}

/** When somebody asked in the last day. Throws `Rejected` (too-many) when that was often enough. */
function recent(recentRequests: readonly Date[], at: Date): Date[] {
  const lately = recentRequests.filter((each) => each.getTime() > at.getTime() - dayMilliseconds);
  const [first] = lately;
  if (first === undefined || lately.length < exportsADay) return lately;
  const message = 'Your data can be collected twice a day. Please try again later.';
  throw new Rejected('export/too-many', 'too-many', message, {
    retryAfterSeconds: Math.ceil((first.getTime() + dayMilliseconds - at.getTime()) / 1_000),
  });
}

export function stateOf(row: Row | undefined): ExportState {
  if (!row) return { state: 'none', requestedAt: null, expiresAt: null, sizeBytes: null };
  const { state, requestedAt, expiresAt, sizeBytes } = row;
  return {
    state,
    requestedAt: requestedAt.toISOString(),
    expiresAt: state === 'ready' ? (expiresAt?.toISOString() ?? null) : null,
    sizeBytes,
  };
}

export type Holder = {
  readonly name: string;
  readonly email: string;
  readonly emailConfirmedAt: Date | null;
  readonly role: Role;
};

/** Undefined when the export is not wanted any more, or its owner was deactivated and could not fetch it. */
export async function holderOf(pool: Pool, ref: ExportRef): Promise<Holder | undefined> {
  const { rows } = await tenantQuery<Holder>(
    pool,
    ref.orgId,
    `select p.name, p.email, p.email_confirmed_at, m.role
      from exports e
      join persons p on (p.org_id, p.user_id) = (e.org_id, e.user_id)
      join memberships m on (m.org_id, m.user_id) = (e.org_id, e.user_id)
      where e.org_id = $1 and e.user_id = $2 and e.export_id = $3 and e.state = 'building'
        and (m.is_active or p.pending_domains <> '{}')`,
    [ref.orgId, ref.userId, ref.exportId],
  );
  return rows[0];
}

/** False when the export is not wanted any more. Answers until when the file is kept. */
export async function finishExport(
  tx: Tx,
  { orgId, userId, exportId }: ExportRef,
  sizeBytes: number,
  at: Date,
): Promise<Date | undefined> {
  const until = new Date(at.getTime() + keptMilliseconds);
  const { rowCount } = await tx.query(
    `update exports set state = 'ready', size_bytes = $4, expires_at = $5
      where org_id = $1 and user_id = $2 and export_id = $3 and state = 'building'`,
    [orgId, userId, exportId, sizeBytes, until],
  );
  return rowCount === 1 ? until : undefined;
}

/** An export that could not be built does not count against the allowance. */
export async function failExport(pool: Pool, { orgId, userId, exportId }: ExportRef, at: Date): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query(
      `update exports set state = 'failed', expires_at = $4, recent_requests = array_remove(recent_requests, requested_at)
        where org_id = $1 and user_id = $2 and export_id = $3 and state = 'building'`,
      [orgId, userId, exportId, new Date(at.getTime() + keptMilliseconds)],
    ),
  );
}

export async function dropExport(pool: Pool, ref: ExportRef, at: Date): Promise<void> {
  await withTenant(pool, ref.orgId, async (tx) => {
    const { rowCount } = await tx.query('delete from exports where org_id = $1 and user_id = $2 and export_id = $3', [
      ref.orgId,
      ref.userId,
      ref.exportId,
    ]);
    if (rowCount === 1) await discard(tx, exportKeyOf(ref), at);
  });
}

/** Discards what a person's export left or is about to leave in the object store. */
export async function discardExportOf(tx: Tx, { orgId, userId }: Person, at: Date): Promise<void> {
  const { rows } = await tx.query<{ exportId: string }>(
    'select export_id from exports where org_id = $1 and user_id = $2',
    [orgId, userId],
  );
  for (const { exportId } of rows) await discard(tx, exportKeyOf({ orgId, exportId }), at);
}

/** Notes that an object has to go, in the transaction that makes it worthless. */
async function discard(tx: Tx, objectKey: string, at: Date): Promise<void> {
  await tx.query(
    'insert into discarded_objects (object_key, discarded_at) values ($1, $2) on conflict (object_key) do nothing',
    [objectKey, at],
  );
}

export async function discardedObjects(pool: Pool, except: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ objectKey: string }>(
    'select object_key from discarded_objects where object_key <> all($1::text[]) limit 1000',
    [except],
  );
  return rows.map((row) => row.objectKey);
}

export async function forgetDiscarded(pool: Pool, key: string): Promise<void> {
  await pool.query('delete from discarded_objects where object_key = $1', [key]);
}

export async function forgetErasedSessions(pool: Pool, before: Date): Promise<void> {
  await pool.query('delete from erased_sessions where erased_at < $1', [before]);
}
