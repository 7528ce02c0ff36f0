import type { AuditEntry, AuditFilters, AuditQuery } from '@caravan/contracts/http/audit';
import type { Cursor } from '@caravan/contracts/http/paging';
import { formerMemberName } from '@caravan/contracts/domain/unnamed';
import type { Caller } from '@caravan/auth/claims';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';

type Row = Pick<AuditEntry, 'id' | 'kind' | 'act' | 'device' | 'count'> & {
  readonly at: Date;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly subjectId: string | null;
  readonly memberName: string | null;
  readonly teamName: string | null;
  readonly text: string | null;
  readonly fromName: string | null;
  readonly toName: string | null;
};

// Names are looked up here: of whoever was erased there is none.
const columns = `e.entry_id as id, e.happened_at as at, e.kind, e.act, e.device, e.actor_id,
    actor.name as actor_name, e.subject_id, member.name as member_name, team.name as team_name,
    e.details ->> 'text' as text, (e.details ->> 'count')::int as count, source.name as from_name, target.name as to_name`;
const names = `
  left join persons actor on (actor.org_id, actor.user_id) = (e.org_id, e.actor_id)
  left join persons member on (member.org_id, member.user_id) = (e.org_id, e.subject_id)
  left join teams team on (team.org_id, team.team_id) = (e.org_id, e.subject_id)
  left join teams source on (source.org_id, source.team_id) = (e.org_id, (e.details ->> 'fromTeamId')::uuid)
  left join teams target on (target.org_id, target.team_id) = (e.org_id, (e.details ->> 'teamId')::uuid)`;

/** Sorts after every entry: the first page is read like any other, by a range of the index. */
const afterAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

// Dates are days of the caller's time zone. Without a kind there is no condition, so that the index serves it.
const pageSql = (hasKind: boolean) => `
  with zone as (
    select coalesce((select time_zone from persons where org_id = $1 and user_id = $7), 'UTC') as time_zone
  ), page as materialized (
    select * from audit.entries
    where org_id = $1 and (happened_at, entry_id) < ($2::timestamptz, $3::uuid)
      and ($4::date is null or happened_at >= $4::date::timestamp at time zone (select time_zone from zone))
      and ($5::date is null or happened_at < ($5::date + 1)::timestamp at time zone (select time_zone from zone))
      ${hasKind ? 'and kind = $8' : ''}
    order by happened_at desc, entry_id desc limit $6
  )
  select ${columns} from page e ${names} order by e.happened_at desc, e.entry_id desc`;

/** Newest first. Throws `Rejected` for a cursor that is not ours. */
export async function auditPage(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  caller: Caller,
  query: AuditQuery,
): Promise<{ entries: AuditEntry[]; nextCursor: Cursor | undefined }> {
  const { limit, cursor } = query;
  const pages = cursors.of({ operation: 'listAudit', reader: caller }, newestFirstKey);
  const rows = await read(pool, caller, query, { after: pages.after(cursor), limit: limit + 1 });
  const page = pages.cut(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  return { entries: page.rows.map(auditEntryOf), nextCursor: page.nextCursor };
}

const mostInFile = 50_000;

export async function auditEntries(pool: Pool, caller: Caller, filters: AuditFilters): Promise<AuditEntry[]> {
  return (await read(pool, caller, filters, { after: undefined, limit: mostInFile })).map(auditEntryOf);
}

async function read(
  pool: Pool,
  { orgId, userId }: Caller,
  { kind, from, to }: AuditFilters,
  { after, limit }: { after: readonly [string, string] | undefined; limit: number },
): Promise<Row[]> {
  const values = [orgId, ...(after ?? afterAll), from ?? null, to ?? null, limit, userId];
  const ofKind = kind === undefined ? [] : [kind];
  return (await tenantQuery<Row>(pool, orgId, pageSql(kind !== undefined), [...values, ...ofKind])).rows;
}

function auditEntryOf(row: Row): AuditEntry {
  const { id, at, kind, act, device, count, fromName, toName } = row;
  return {
    id,
    at: at.toISOString(),
    kind,
    act,
    device,
    count,
    from: fromName,
    to: toName,
    actor: actorOf(row),
    subject: row.text ?? subjectOf(row),
  };
}

function actorOf({ actorId, actorName }: Row): AuditEntry['actor'] {
  if (actorId === null) return null;
  return actorName === null ? { name: formerMemberName, profileId: null } : { name: actorName, profileId: actorId };
}

function subjectOf({ subjectId, memberName, teamName }: Row): string | null {
  return subjectId === null ? null : (memberName ?? teamName ?? formerMemberName);
}
