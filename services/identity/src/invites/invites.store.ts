import { randomInt, randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { CreateInviteRequest, Invite } from '@caravan/contracts/http/organisations';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import type { Unit } from '@caravan/event-store/core/event-store';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { Invalid } from '@caravan/kernel/problem';
import { recordAct } from '../audit/index.ts';
import { codeAlphabet, codeCharacters, expiryOf, stateOf } from './invite.ts';
import type { InviteTerms } from './invite.ts';

export type InviteRow = InviteTerms & Omit<Invite, 'url' | 'createdAt' | 'expiresAt' | 'state'> & { createdAt: Date };

const columns = `invite_id as id, code, created_at, expires_at, max_uses, uses,
  domains, team_id, revoked_at`;

export async function invitesOf(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: Pick<Caller, 'orgId' | 'userId'>,
  { limit, cursor }: PageQuery,
): Promise<{ rows: readonly InviteRow[]; nextCursor: Cursor | undefined }> {
  const { orgId } = reader;
  const pages = cursors.of({ operation: 'listInvites', reader }, newestFirstKey);
  const [createdBefore, idBefore] = pages.after(cursor) ?? [null, null];
  const { rows } = await tenantQuery<InviteRow>(
    pool,
    orgId,
    `select ${columns} from invites
      where org_id = $1 and ($2::timestamptz is null or (created_at, invite_id) < ($2::timestamptz, $3::uuid))
      order by created_at desc, invite_id desc limit $4`,
    [orgId, createdBefore, idBefore, limit + 1],
  );
  return pages.cut(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
}

/** Throws `Rejected` for an unknown or retired team and for a bad expiry. */
export async function createInvite(unit: Unit, request: CreateInviteRequest): Promise<InviteRow> {
  const { orgId, actorId, at } = unit.meta;
  const teamId = request.teamId ?? null;
  const expiresAt = expiryOf(request.expiresAt, at);
  if (teamId !== null) await assertTakesMembers(unit, teamId);
  const { rows } = await unit.tx.query<InviteRow>(
    `insert into invites (org_id, invite_id, code, created_by, created_at, expires_at, max_uses, domains, team_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
    [
      orgId,
      randomUUIDv7(),
      newCode(),
      actorId,
      at,
      expiresAt,
      request.maxUses ?? null,
      [...new Set(request.domains)],
      teamId,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('An invite that was just written is not there');
  await recordAct(unit, 'invite.created', { text: hintOf(row.code) });
  return row;
}

export function revokeInvite(pool: Pool, { orgId, at, meta }: Caller, inviteId: string): Promise<InviteRow> {
  return withTenant(pool, orgId, async (tx) => {
    const ofInvite = [orgId, inviteId];
    const open = 'select from invites where org_id = $1 and invite_id = $2 and revoked_at is null for no key update';
    const { rowCount: wasOpen } = await tx.query(open, ofInvite);
    const { rows } = await tx.query<InviteRow>(
      `update invites set revoked_at = coalesce(revoked_at, $3) where org_id = $1 and invite_id = $2 returning ${columns}`,
      [...ofInvite, at],
    );
    const [row] = rows;
    if (!row) throw new Rejected('invite/not-found', 'not-found', 'This invite does not exist');
    if (wasOpen) await recordAct({ tx, meta }, 'invite.revoked', { text: hintOf(row.code) });
    return row;
  });
}

type UsedInvite = { readonly inviteId: string; readonly invitedBy: string | null };

/** Undefined when it is revoked, expired or used up. */
export async function useInvite({ tx, meta }: Unit, inviteId: string): Promise<UsedInvite | undefined> {
  const { rows } = await tx.query<UsedInvite>(
    `update invites set uses = uses + 1 where org_id = $1 and invite_id = $2
      and revoked_at is null and expires_at > $3 and (max_uses is null or uses < max_uses)
      returning invite_id,
        (select user_id from persons p where (p.org_id, p.user_id) = (invites.org_id, invites.created_by)) as invited_by`,
    [meta.orgId, inviteId, meta.at],
  );
  return rows[0];
}

export async function revokeAllInvites({ tx, meta }: Unit): Promise<void> {
  const { orgId, at } = meta;
  await tx.query('update invites set revoked_at = $2 where org_id = $1 and revoked_at is null', [orgId, at]);
}

/** Enough of a code to know it by, too little to join with. */
const hintOf = (code: string): string => `${code.slice(0, 4)}…`;

export function shownInvite(row: InviteRow, publicUrl: string, at: Date): Invite {
  const { id, code, maxUses, uses, domains, teamId } = row;
  return {
    id,
    code,
    maxUses,
    uses,
    domains,
    teamId,
    url: new URL(`/signup?invite=${code}`, publicUrl).href,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    state: stateOf(row, at),
  };
}

function newCode(): string {
  return Array.from({ length: codeCharacters }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');
}

async function assertTakesMembers({ tx, meta }: Unit, teamId: string): Promise<void> {
  const { rows } = await tx.query<{ isRetired: boolean }>(
    'select retired_at is not null as is_retired from teams where org_id = $1 and team_id::text = $2',
    [meta.orgId, teamId],
  );
  const [team] = rows;
  if (!team) throw new Rejected('team/not-found', 'not-found', 'This team does not exist');
  if (team.isRetired)
    throw new Invalid([{ path: 'teamId', message: 'This team is retired and takes nobody' }], 'team/retired');
}
