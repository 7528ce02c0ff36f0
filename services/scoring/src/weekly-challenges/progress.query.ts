import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import type { Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { isReached, type Target, type WeekFigures } from './progress.ts';

export type Challenge = Target &
  Pick<WeeklyChallenge, 'name' | 'challengeType'> & {
    readonly challengeId: string;
    readonly bonusCentimiles: number;
    readonly weekStartsOn: string;
  };

export type Participant = { readonly orgId: string; readonly userId: string };

export type MetChallenge = Challenge & {
  readonly teamId: string | null;
  readonly isClaimed: boolean;
  /** In the organisation and in the team; null for those who are not known yet. */
  readonly joinedOn: string | null;
  readonly inTeamSince: string | null;
};

export async function challengeFor(tx: Tx, whose: Participant, challengeId: string): Promise<MetChallenge> {
  const challenge = await findChallenge(tx, whose, challengeId);
  if (!challenge) throw noChallenge();
  return challenge;
}

export const noChallenge = () =>
  new Rejected('weekly-challenges/not-found', 'not-found', 'This challenge does not exist');

export async function findChallenge(
  tx: Tx,
  { orgId, userId }: Participant,
  challengeId: string,
): Promise<MetChallenge | undefined> {
  const { rows } = await tx.query<MetChallenge>(
    `select w.challenge_id, w.name, w.target_value::float, w.target_unit,
       w.challenge_type, w.bonus_centimiles, w.week_starts_on,
       m.team_id, m.joined_on, m.in_team_since,
       coalesce(c.is_claimed, false) as is_claimed
     from weekly_challenges w
     left join members m on m.org_id = w.org_id and m.user_id = $3
     left join weekly_claims c on c.org_id = w.org_id and c.challenge_id = w.challenge_id and c.user_id = $3
     where w.org_id = $1 and w.challenge_id = $2`,
    [orgId, challengeId, userId],
  );
  return rows[0];
}

const ownFigures = (condition: string): string => `
  with logs as (
    select log_id, credited_on, sum(centimiles) as centimiles, sum(minutes) as minutes
    from ledger_entries
    where org_id = $1 and week_starts_on = $2 and log_id is not null and user_id = $3 and ${condition}
      and credited_on between $2::date - 2 and $2::date + 8
    group by 1, 2 having sum(centimiles) > 0
  )
  select coalesce(sum(centimiles), 0)::int as centimiles, coalesce(sum(minutes), 0)::int as minutes,
    count(distinct log_id)::int as activities, count(distinct credited_on)::int as days
  from logs`;

// Local dates of one instant lie two days apart at most: no others are read, however long a history is.
export const ownFiguresSql = ownFigures('true');
const shownFiguresSql = ownFigures('not is_owner_only');
const ownerOnlyFiguresSql = ownFigures('is_owner_only');

const ownFiguresOfManySql = `
  with logs as (
    select user_id, log_id, credited_on, sum(centimiles) as centimiles, sum(minutes) as minutes
    from ledger_entries
    where org_id = $1 and week_starts_on = $2 and log_id is not null and user_id = any($3::uuid[])
      and credited_on between $2::date - 2 and $2::date + 8
    group by 1, 2, 3 having sum(centimiles) > 0
  )
  select user_id, sum(centimiles)::int as centimiles, sum(minutes)::int as minutes,
    count(distinct log_id)::int as activities, count(distinct credited_on)::int as days
  from logs group by 1`;

export async function ownFiguresOfMany(
  tx: Tx,
  { orgId, weekStartsOn, userIds }: { orgId: string; weekStartsOn: string; userIds: readonly string[] },
): Promise<ReadonlyMap<string, WeekFigures>> {
  const values = [orgId, weekStartsOn, userIds];
  const { rows } = await tx.query<WeekFigures & { userId: string }>(ownFiguresOfManySql, values);
  return new Map(rows.map((row) => [row.userId, row]));
}

// Kept sums, and entries not in them yet: those change a date by its first movement or its last.
export const teamFiguresSql = `
  with pending as (
    select user_id, credited_on, centimiles, minutes, movements from pending_team_credits_of($1)
    where week_starts_on = $2 and team_id = $3 and movements is not null
  ), dates as (
    select user_id, credited_on, sum(movements) as movements from pending group by 1, 2
  ), moved as (
    select sum((coalesce(d.movements, 0) + f.movements > 0)::int - (coalesce(d.movements, 0) > 0)::int) as days
    from dates f left join team_week_days d on d.org_id = $1 and d.team_id = $3 and d.week_starts_on = $2
      and d.user_id = f.user_id and d.credited_on = f.credited_on
  ), parts as (
    select logged_centimiles as centimiles, minutes, activities, days from team_weeks
    where org_id = $1 and team_id = $3 and week_starts_on = $2
    union all
    select sum(centimiles), sum(minutes), sum(movements), (select days from moved) from pending
  )
  select coalesce(sum(centimiles), 0)::int as centimiles, coalesce(sum(minutes), 0)::int as minutes,
    coalesce(sum(activities), 0)::int as activities, coalesce(sum(days), 0)::int as days
  from parts`;

export const noFigures: WeekFigures = { centimiles: 0, days: 0, activities: 0, minutes: 0 };

export async function figuresFor(
  tx: Tx,
  { orgId, userId, teamId }: Participant & { readonly teamId: string | null },
  { challengeType, weekStartsOn }: Pick<Challenge, 'challengeType' | 'weekStartsOn'>,
): Promise<WeekFigures> {
  const [sql, whose] = challengeType === 'team' ? [teamFiguresSql, teamId] : [ownFiguresSql, userId];
  const { rows } = await tx.query<WeekFigures>(sql, [orgId, weekStartsOn, whose]);
  return rows[0] ?? noFigures;
}

/**
 * Whether a reached challenge would give away what only the member may see (D21): one's own when the rest does not reach
 * it, a team's when the member has brought nothing else to it.
 */
export async function restsOnOwnerOnly(
  tx: Tx,
  { orgId, userId }: Participant,
  { weekStartsOn, challengeType, ...target }: Challenge,
): Promise<boolean> {
  const figures = async (sql: string) => {
    const { rows } = await tx.query<WeekFigures>(sql, [orgId, weekStartsOn, userId]);
    return rows[0] ?? noFigures;
  };
  const own = await figures(ownerOnlyFiguresSql);
  if (own.activities === 0) return false;
  const shown = await figures(shownFiguresSql);
  return challengeType === 'team' ? shown.activities === 0 : !isReached(target, shown);
}

export type MemberOfTeam = { readonly userId: string; readonly teamId: string };

export async function membersAmong(tx: Tx, orgId: string, userIds: readonly string[]): Promise<MemberOfTeam[]> {
  const { rows } = await tx.query<MemberOfTeam>(
    `select user_id, team_id from members where org_id = $1 and user_id = any($2::uuid[])`,
    [orgId, userIds],
  );
  return rows;
}

export async function claimsAmong(
  tx: Tx,
  orgId: string,
  challengeIds: readonly string[],
  userIds: readonly string[],
): Promise<{ readonly userId: string; readonly challengeId: string }[]> {
  const { rows } = await tx.query<{ userId: string; challengeId: string }>(
    `select user_id, challenge_id from weekly_claims
     where org_id = $1 and challenge_id = any($2::uuid[]) and user_id = any($3::uuid[]) and is_claimed`,
    [orgId, challengeIds, userIds],
  );
  return rows;
}
