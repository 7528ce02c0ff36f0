import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import type { Role } from '@caravan/contracts/events/fields';
import { formerMemberName, formerTeamName } from '@caravan/contracts/events/identity.events';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';

type Whose = { readonly orgId: string; readonly userId: string };

export async function addMember(
  tx: Tx,
  { orgId, userId }: Whose,
  member: { teamId: string; name: string; timeZone: string; joinedOn: string; role: Role },
): Promise<void> {
  await tx.query(
    `insert into members (org_id, user_id, team_id, name, time_zone, joined_on, role) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (org_id, user_id) do nothing`,
    [orgId, userId, member.teamId, member.name, member.timeZone, member.joinedOn, member.role],
  );
}

/** `set` is SQL of the member; its values are $3 and on. */
export async function changeMember(
  tx: Tx,
  { orgId, userId }: Whose,
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.query(`update members set ${set} where org_id = $1 and user_id = $2`, [orgId, userId, ...values]);
}

/** Posts stay, by a former member: without name, picture, photo, caption and what was typed as activity. */
export async function forgetMember(tx: Tx, whose: Whose): Promise<void> {
  await tx.query('select lock_erasing($1)', [whose.orgId]);
  await Promise.all([
    changeMember(tx, whose, 'name = $3, photo_url = null, time_zone = null, is_active = false, is_erased = true', [
      formerMemberName,
    ]),
    forgetWords(tx, whose.orgId, whose.userId),
    forgetComments(tx, whose),
    forgetInRecaps(tx, whose),
  ]);
}

/** By `position` of the fact the older of two teams comes first. */
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

/** `set` is SQL of the team; its values are $3 and on. */
export async function changeTeam(
  tx: Tx,
  { orgId, teamId }: { orgId: string; teamId: string },
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.query(`update teams set ${set} where org_id = $1 and team_id = $2`, [orgId, teamId, ...values]);
}

export async function keepOrganisation(
  tx: Tx,
  orgId: string,
  { timeZone, foundedAt }: { timeZone: string; foundedAt: string },
): Promise<void> {
  await tx.query(
    `insert into organisations (org_id, time_zone, founded_at) values ($1, $2, $3)
     on conflict (org_id) do update set time_zone = excluded.time_zone, founded_at = excluded.founded_at`,
    [orgId, timeZone, foundedAt],
  );
}

export async function keepZones(tx: Tx, orgId: string, { first, changes }: ZoneHistory): Promise<void> {
  await tx.query('update organisations set time_zone = $2, time_zone_changes = $3 where org_id = $1', [
    orgId,
    first,
    JSON.stringify(changes),
  ]);
}

export async function keepSetUp(
  tx: Tx,
  orgId: string,
  setUp: { industry: string | null; brandTraits: readonly string[]; setUpAt: string },
): Promise<void> {
  await tx.query('update organisations set industry = $2, brand_traits = $3, set_up_at = $4 where org_id = $1', [
    orgId,
    setUp.industry,
    setUp.brandTraits,
    setUp.setUpAt,
  ]);
}

/** Its members were erased before; posts stay as ids and numbers, without a word. */
export async function closeOrganisation(tx: Tx, orgId: string): Promise<void> {
  await tx.query('select lock_erasing($1)', [orgId]);
  await Promise.all([
    tx.query(`update organisations set is_closed = true, industry = null, brand_traits = '{}' where org_id = $1`, [
      orgId,
    ]),
    tx.query(`update teams set name = $2, emoji = '', is_retired = true where org_id = $1`, [orgId, formerTeamName]),
    forgetWords(tx, orgId, null),
    tx.query('delete from comments where org_id = $1', [orgId]),
    tx.query('delete from weekly_recaps where org_id = $1', [orgId]),
    tx.query('update recap_achievements set name = null where org_id = $1', [orgId]),
    tx.query('delete from es.requests where org_id = $1', [orgId]),
  ]);
}

async function forgetWords(tx: Tx, orgId: string, userId: string | null): Promise<void> {
  await tx.query(
    `update posts set caption = null, location = null, photo_path = null, photo = null, heart_rate = null, calories = null,
       activity_type = case when activity_type = any($4::text[]) then activity_type else $3 end
     where org_id = $1 and ($2::uuid is null or user_id = $2)`,
    [orgId, userId, forgottenActivityName, productActivities],
  );
}

/** What the member wrote, and what others wrote to them below their posts. */
async function forgetComments(tx: Tx, { orgId, userId }: Whose): Promise<void> {
  const values = [orgId, userId];
  await Promise.all([
    tx.query(
      `delete from comments k where k.org_id = $1 and (k.author_id = $2 or exists (
         select from posts p where p.org_id = $1 and p.log_id = k.entry_id and p.user_id = $2))`,
      values,
    ),
    tx.query('delete from comment_reports where org_id = $1 and reporter_id = $2', values),
    tx.query('update comments set hidden_reason = null where org_id = $1 and hidden_by = $2', values),
  ]);
}

/** What they said of weeks, and their run of days (figures.store.ts keeps none); figures of weeks stay, as miles do. */
async function forgetInRecaps(tx: Tx, { orgId, userId }: Whose): Promise<void> {
  await Promise.all([
    tx.query('delete from recap_engagement where org_id = $1 and user_id = $2', [orgId, userId]),
    tx.query(
      `update recap_member_weeks set run_started_on = null, run_ended_on = null, run_days = null, epoch = null, position = null
       where org_id = $1 and user_id = $2 and position is not null`,
      [orgId, userId],
    ),
  ]);
}
