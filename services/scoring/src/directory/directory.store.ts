import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import { formerMemberName, formerTeamName } from '@caravan/contracts/events/identity.events';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';

type Whose = { readonly orgId: string; readonly userId: string };

/** Told again, nobody is counted twice. */
export async function addMember(
  tx: Tx,
  { orgId, userId }: Whose,
  member: { teamId: string; name: string; timeZone: string; joinedOn: string },
): Promise<void> {
  await tx.query(
    `with joined as (
       insert into members (org_id, user_id, team_id, name, time_zone, joined_on, in_team_since)
       values ($1, $2, $3, $4, $5, $6, $6)
       on conflict (org_id, user_id) do nothing returning team_id
     )
     update teams t set member_count = member_count + 1 from joined where t.org_id = $1 and t.team_id = joined.team_id`,
    [orgId, userId, member.teamId, member.name, member.timeZone, member.joinedOn],
  );
}

/** Moves the teams' counts along with what really changed. `set` is SQL of `m`; its values are $3 and on. */
export async function changeMember(
  tx: Tx,
  { orgId, userId }: Whose,
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.query(
    `with before as (
       select org_id, user_id, team_id, is_active from members where org_id = $1 and user_id = $2 for update
     ), after as (
       update members m set ${set} from before b where m.org_id = b.org_id and m.user_id = b.user_id
       returning m.team_id, m.is_active
     ), moved as (
       select team_id, sum(n) as n from (
         select team_id, 1 as n from after where is_active union all select team_id, -1 from before where is_active
       ) counts group by team_id having sum(n) <> 0
     )
     update teams t set member_count = member_count + moved.n from moved
     where t.org_id = $1 and t.team_id = moved.team_id`,
    [orgId, userId, ...values],
  );
}

/** Deactivates or reactivates a member. True when boards in Redis hold the member's miles: they have to be built anew. */
export async function setActive(tx: Tx, { orgId, userId }: Whose, isActive: boolean): Promise<boolean> {
  // Waits for credits under way: they may be the member's first.
  await tx.query('select es.lock_keys($1)', [[userId]]);
  const set = 'is_active = $3, board_changes = m.board_changes + (m.is_active <> $3)::int';
  await changeMember(tx, { orgId, userId }, set, [isActive]);
  const { rowCount } = await tx.query('select from member_totals where org_id = $1 and user_id = $2', [orgId, userId]);
  return rowCount !== 0;
}

// `was` reads what stood before `closed` wrote. Of two changes at one instant the second one stands.
const staySql = `
  with now as (
    select m.team_id, m.is_active, greatest($3, (
      select max(s.since) from team_memberships s where s.org_id = $1 and s.user_id = $2)) as at
    from members m where m.org_id = $1 and m.user_id = $2
  ), was as (
    select team_id from team_memberships where org_id = $1 and user_id = $2 and until is null
  ), closed as (
    update team_memberships s set until = now.at from now
    where s.org_id = $1 and s.user_id = $2 and s.until is null
      and (not now.is_active or (s.team_id <> now.team_id and s.since < now.at))
  )
  insert into team_memberships (org_id, user_id, team_id, since)
  select $1, $2, now.team_id, now.at from now
  where now.is_active and not exists (select from was where was.team_id = now.team_id)
  on conflict (org_id, user_id, since) do update set team_id = excluded.team_id, until = null`;

/** After every change of a member's team or activity: since when it is so. Told again, nothing changes. */
export async function keepStay(tx: Tx, { orgId, userId }: Whose, at: string): Promise<void> {
  await tx.query(staySql, [orgId, userId, at]);
}

/** `renewsBoards`: other members stand on the boards now, which are built anew. */
export type DirectoryChange = { readonly orgId: string; readonly renewsBoards: boolean };

/** With every change of what boards show of members and teams, which they keep until then. */
export async function noteDirectoryChanges(tx: Tx, changes: readonly DirectoryChange[]): Promise<void> {
  const renewing = changes.filter(({ renewsBoards }) => renewsBoards);
  await tx.query(
    `insert into board_generations as g (org_id, generation, directory_change)
     select org_id, (org_id = any($2::uuid[]))::int, pg_current_xact_id()::text::bigint
     from unnest($1::uuid[]) as org_id order by org_id
     on conflict (org_id) do update set directory_change = excluded.directory_change,
       generation = g.generation + excluded.generation`,
    [[...new Set(changes.map(({ orgId }) => orgId))], renewing.map(({ orgId }) => orgId)],
  );
}

/** `wasActive`: who was off the boards stays off them. */
export async function forgetMember(tx: Tx, { orgId, userId }: Whose, wasActive: boolean): Promise<void> {
  // Credits under way are waited for: they wrote names before they knew; later ones find the member erased.
  await tx.query('select es.lock_keys($1)', [[userId]]);
  const set = `name = $3, photo_url = null, time_zone = null, is_active = false, is_erased = true,
    was_active = $4`;
  await changeMember(tx, { orgId, userId }, set, [formerMemberName, wasActive]);
  await tx.query(
    `update credited_movements set activity_type = $3
     where org_id = $1 and user_id = $2 and activity_type <> all($4::text[])`,
    [orgId, userId, forgottenActivityName, productActivities],
  );
}

/** Without miles at first (D40); by `position` of the fact the older of two teams comes first. */
export async function addTeam(
  tx: Tx,
  { orgId, teamId }: { orgId: string; teamId: string },
  team: { name: string; emoji: string; position: number },
): Promise<void> {
  await tx.query(
    `insert into teams (org_id, team_id, name, emoji, formed_position) values ($1, $2, $3, $4, $5)
     on conflict (org_id, team_id) do nothing`,
    [orgId, teamId, team.name, team.emoji, team.position],
  );
}

type TeamRef = { readonly orgId: string; readonly teamId: string };

export async function renameTeam(
  tx: Tx,
  { orgId, teamId }: TeamRef,
  { name, emoji }: { readonly name: string; readonly emoji: string },
): Promise<void> {
  const values = [orgId, teamId, name, emoji];
  await tx.query('update teams set name = $3, emoji = $4 where org_id = $1 and team_id = $2', values);
}

export async function retireTeam(tx: Tx, { orgId, teamId }: TeamRef): Promise<void> {
  await tx.query('update teams set is_retired = true where org_id = $1 and team_id = $2', [orgId, teamId]);
}

export async function reopenTeam(tx: Tx, { orgId, teamId }: TeamRef): Promise<void> {
  await tx.query('update teams set is_retired = false where org_id = $1 and team_id = $2', [orgId, teamId]);
}

export async function storeFreezeRule(tx: Tx, orgId: string, areOn: boolean): Promise<void> {
  await tx.query('update organisations set has_streak_freezes = $2 where org_id = $1', [orgId, areOn]);
}

/** @param dueAt since when members may have earned badges that nobody has awarded; null: no longer */
export async function storeBadgesDue(tx: Tx, orgId: string, dueAt: string | null): Promise<void> {
  await tx.query('update organisations set badges_due_at = $2 where org_id = $1', [orgId, dueAt]);
}

/** Badges that became due after `dueAt` stay due. */
export async function settleBadgesDue(tx: Tx, orgId: string, dueAt: Date): Promise<void> {
  await tx.query(
    `update organisations set badges_due_at = null
         where org_id = $1 and date_trunc('milliseconds', badges_due_at) <= $2`,
    [orgId, dueAt],
  );
}

/** For rebuilt rows: the job that awards badges has cleared it since. */
export const keepBadgesDueSql = `update organisations n set badges_due_at = o.badges_due_at from public.organisations o
       where o.org_id = n.org_id and n.badges_due_at is distinct from o.badges_due_at`;

export async function keepOrganisation(
  tx: Tx,
  { orgId, timeZone }: { orgId: string; timeZone: string },
): Promise<void> {
  await tx.query(
    `insert into organisations (org_id, time_zone) values ($1, $2)
     on conflict (org_id) do update set time_zone = excluded.time_zone`,
    [orgId, timeZone],
  );
}

export async function keepZones(tx: Tx, orgId: string, { first, changes }: ZoneHistory): Promise<void> {
  await tx.query('update organisations set time_zone = $2, time_zone_changes = $3 where org_id = $1', [
    orgId,
    first,
    JSON.stringify(changes),
  ]);
}

/** Entries and sums stay as ids and numbers, so that miles still on their way find their place. */
export async function closeOrganisation(tx: Tx, orgId: string): Promise<void> {
  await Promise.all([
    tx.query('update organisations set is_closed = true where org_id = $1', [orgId]),
    noteDirectoryChanges(tx, [{ orgId, renewsBoards: false }]),
    tx.query(`update teams set name = $2, emoji = '', is_retired = true where org_id = $1`, [orgId, formerTeamName]),
    tx.query('delete from es.requests where org_id = $1', [orgId]),
  ]);
}
