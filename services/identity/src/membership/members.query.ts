import type { Caller } from '@caravan/auth/claims';
import { asciiDomain } from '@caravan/contracts/domain/text/email-address';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { formerMemberName } from '@caravan/contracts/events/identity.events';
import { instantSchema, localDateSchema } from '@caravan/contracts/events/fields';
import type { ManagedMember, ManagedTeam, MembersQuery } from '@caravan/contracts/http/organisations';
import type { Cursor } from '@caravan/contracts/http/paging';
import type { LogPosition } from '@caravan/contracts/events/log-position';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Recorded } from '@caravan/event-store/core/projection';
import { Rejected } from '@caravan/kernel/rejected';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { noteShown } from '@caravan/service-kit/telemetry/request-context';
import { z } from 'zod';
import type { MembershipEvent } from './membership.ts';
import type { MemberDetails, TeamNaming } from './public-events.ts';
import type { TeamEvent } from './team.ts';

type MemberRow = Omit<ManagedMember, 'team' | 'joinedAt' | 'totalMiles'> & {
  readonly joinedAt: Date;
  readonly totalCentimiles: number;
  readonly teamId: string;
  readonly teamName: string;
  readonly teamEmoji: string;
  readonly sortKey: string | number | Date;
};

/** Throws `Rejected` for a cursor that is none. */
export async function membersOf(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: Pick<Caller, 'orgId' | 'userId'>,
  query: MembersQuery,
): Promise<{ members: ManagedMember[]; nextCursor: Cursor | undefined }> {
  const pages = cursors.of({ operation: 'listMembers', reader }, memberKeyOf(query.sort));
  const after = pages.after(query.cursor);
  const statement = membersPage(reader.orgId, query, after);
  if (!statement) return { members: [], nextCursor: undefined };
  const { text, values }: MemberStatement = statement;
  const { rows } = await tenantQuery<MemberRow>(pool, reader.orgId, text, values);
  const page = pages.cut(rows, query.limit, ({ sortKey, id }) => [query.sort, cursorValueOf(sortKey), id]);
  return { members: page.rows.map(managedMemberOf), nextCursor: page.nextCursor };
}

export async function memberOf(tx: Tx, orgId: string, userId: string): Promise<ManagedMember> {
  const { rows } = await tx.query<MemberRow>(oneMember, [orgId, userId]);
  const [row] = rows;
  if (!row) throw new Rejected('membership/not-found', 'not-found', 'This member does not exist');
  return managedMemberOf(row);
}

function managedMemberOf(row: MemberRow): ManagedMember {
  const { id, name, email, role, isActive, isEmailConfirmed, lastActivityDate } = row;
  const { teamId, teamName, teamEmoji } = row;
  return {
    id,
    name,
    email,
    role,
    isActive,
    isEmailConfirmed,
    lastActivityDate,
    team: { id: teamId, name: teamName, emoji: teamEmoji },
    totalMiles: milesOf(row.totalCentimiles),
    joinedAt: row.joinedAt.toISOString(),
  };
}

const tables = { p: 'persons', m: 'memberships', s: 'member_scores' } as const;
type Alias = keyof typeof tables;
type Sorting = { readonly key: string; readonly by: Alias; readonly cursor: z.ZodType<string | number> };

/** A stored column, and the id in the same table, so that one index leads to the page. */
const sortings = {
  name: { key: 'p.name_key', by: 'p', cursor: z.string() },
  joined: { key: 'm.joined_at', by: 'm', cursor: instantSchema },
  miles: { key: 's.total_centimiles', by: 's', cursor: z.number().int() },
  active: { key: 's.active_key', by: 's', cursor: z.union([localDateSchema, z.literal('-infinity')]) },
} satisfies Record<string, Sorting>;

export const oneMember = `${membersSorted(sortings.name)} where p.org_id = $1 and p.user_id = $2`;

export type MemberStatement = { readonly text: string; readonly values: readonly unknown[] };

/** Where a page begins: behind the row with this order, sort key and id. */
export type MemberKey = readonly [MembersQuery['sort'], string | number, string];

const memberKeyOf = (sort: MembersQuery['sort']): z.ZodType<MemberKey> =>
  z.tuple([z.literal(sort), sortingOf(sort).cursor, z.uuid()]);

/** One row longer than asked for; undefined when nobody can be in it. */
export function membersPage(
  orgId: string,
  query: MembersQuery,
  after: MemberKey | undefined,
): MemberStatement | undefined {
  const { q, teamId, role, status, sort, limit } = query;
  const sorting = sortingOf(sort);
  const { key, by } = sorting;
  const isDescending = sort.startsWith('-');
  const values: unknown[] = [orgId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = [`${by}.org_id = $1`];
  if (teamId !== undefined) {
    if (!z.uuid().safeParse(teamId).success) return undefined;
    where.push(`m.team_id = ${value(teamId)}`);
  }
  if (role !== undefined) where.push(`m.role = ${value(role)}`);
  if (status !== undefined) where.push(`m.is_active = ${value(status === 'active')}`);
  if (q)
    where.push(
      `(strpos(p.name_key, (select search_key(${value(q)}))) > 0 or strpos(lower(p.email), ${value(addressPart(q))}) > 0)`,
    );
  if (after) where.push(`(${key}, ${by}.user_id) ${isDescending ? '<' : '>'} (${value(after[1])}, ${value(after[2])})`);
  const direction = isDescending ? 'desc' : 'asc';
  const order = `order by ${key} ${direction}, ${by}.user_id ${direction} limit ${value(limit + 1)}`;
  return { text: `${membersSorted(sorting)} where ${where.join(' and ')} ${order}`, values };
}

export function cursorValueOf(sortKey: string | number | Date): string | number {
  return sortKey instanceof Date ? sortKey.toISOString() : sortKey;
}

function sortingOf(sort: MembersQuery['sort']): Sorting {
  switch (sort) {
    case 'name':
    case '-name':
      return sortings.name;
    case 'joined':
    case '-joined':
      return sortings.joined;
    case 'miles':
    case '-miles':
      return sortings.miles;
    case 'active':
    case '-active':
      return sortings.active;
  }
}

/** One table in its order: of a plain join the planner reads everything, when the organisation is small. */
function membersSorted({ key, by }: Sorting): string {
  const others = (Object.keys(tables) as Alias[]).filter((alias) => alias !== by);
  return `select p.user_id as id, p.name, p.email, m.role, m.is_active, p.email_confirmed_at is not null as is_email_confirmed, m.joined_at,
      t.team_id, t.name as team_name, t.emoji as team_emoji, s.total_centimiles,
      s.run_ended_on as last_activity_date, ${key} as sort_key
    from ${tables[by]} ${by}
    ${others.map((alias) => lookedUp(alias, `user_id = ${by}.user_id`)).join(' ')}
    cross join lateral (select * from teams where org_id = $1 and team_id = m.team_id limit 1) t`;
}

// The limit keeps the planner from making a plain join of it.
function lookedUp(alias: Alias, condition: string): string {
  return `cross join lateral (select * from ${tables[alias]} where org_id = $1 and ${condition} limit 1) ${alias}`;
}

/** As a part of addresses is stored: a domain in any script is written in ASCII. */
function addressPart(q: string): string {
  const at = q.lastIndexOf('@') + 1;
  return (q.slice(0, at) + (asciiDomain(q.slice(at)) ?? q.slice(at))).toLowerCase();
}

/** SQL: the latest fact about membership `m` that a log depends on, its team and its time zone. */
export const membershipPositionSql = `
  (select json_build_object('epoch', es.epoch_at(e.pos), 'position', e.pos) from es.events e where e.org_id = m.org_id and e.stream_id = 'membership-' || m.user_id
    and e.type in ('MemberJoined', 'MemberMoved', 'ProfileEdited') order by e.version desc limit 1)`;

/** Whoever is shown their team earns for it with the next log, before activity has heard of it (D2). */
export function noteMembershipShown({ orgId }: Caller, position: LogPosition | null): void {
  if (position !== null) noteShown('identity', { ...position, key: organisationKey(orgId) });
}

type TeamRow = Omit<ManagedTeam, 'formedAt'> & { readonly formedAt: Date };

const teamColumns = `t.team_id as id, t.name, t.emoji, r.active_members as member_count, t.retired_at is not null as retired,
  t.formed_at from teams t join team_rosters r on (r.org_id, r.team_id) = (t.org_id, t.team_id)`;

export async function teamsOf(pool: Pool, orgId: string): Promise<ManagedTeam[]> {
  const { rows } = await tenantQuery<TeamRow>(
    pool,
    orgId,
    `select ${teamColumns} where t.org_id = $1 order by t.retired_at is not null, t.formed_at, t.team_id`,
    [orgId],
  );
  return rows.map(shownTeam);
}

export async function teamOf(tx: Tx, orgId: string, teamId: string): Promise<ManagedTeam> {
  const { rows } = await tx.query<TeamRow>(`select ${teamColumns} where t.org_id = $1 and t.team_id = $2`, [
    orgId,
    teamId,
  ]);
  const [row] = rows;
  if (!row) throw new Error('A team that was just written is not there');
  return shownTeam(row);
}

function shownTeam(row: TeamRow): ManagedTeam {
  return { ...row, formedAt: row.formedAt.toISOString() };
}

/** How teams are called now, for those who are told of them again. */
export async function namingOfTeams(tx: Tx, events: readonly Recorded<TeamEvent>[]): Promise<TeamNaming[]> {
  const { rows } = await tx.query<TeamNaming & { teamId: string }>(
    `select team_id, name, emoji from teams
     where (org_id, team_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.teamId)],
  );
  const found = new Map(rows.map(({ teamId, ...naming }) => [teamId, naming]));
  return events.map(({ data }) => found.get(data.teamId) ?? { name: '', emoji: '' });
}

/** Members as they are now; nothing of who was erased. */
export async function detailsOfMembers(tx: Tx, events: readonly Recorded<MembershipEvent>[]): Promise<MemberDetails[]> {
  const { rows } = await tx.query<MemberDetails & { userId: string }>(
    `select user_id, name, time_zone, profile_photo_url from persons
     where (org_id, user_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.userId)],
  );
  const found = new Map(rows.map(({ userId, ...details }) => [userId, details]));
  const erased = { name: formerMemberName, timeZone: 'UTC', profilePhotoUrl: null };
  return events.map(({ data }) => found.get(data.userId) ?? erased);
}
