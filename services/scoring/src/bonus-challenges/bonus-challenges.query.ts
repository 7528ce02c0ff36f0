import { presetActivities } from '@caravan/contracts/domain/movement/activities';
import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import { addDays, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { organisationDateOf, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Recorded } from '@caravan/event-store/core/projection';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { teamStandingsSql } from '../leaderboards/index.ts';
import type { BonusChallengeEvent } from './bonus-challenge.ts';
import type { Outcome } from './public-events.ts';
import type { Figures, Strategy } from './strategies.ts';

const openSql = `
  select b.challenge_id as id, b.title, b.description, b.activity_type,
    b.target_duration_minutes, null::float8 as target_distance_miles, b.multiplier::float as multiplier,
    b.expires_at, true as is_active, c.log_id is not null as is_completed
  from bonus_challenges b
  left join bonus_completions c on c.org_id = b.org_id and c.challenge_id = b.challenge_id and c.user_id = $2
  where b.org_id = $1 and b.closed_at is null and b.expires_at > $3`;

const completedSql = `
  select user_id from bonus_completions where org_id = $1 and challenge_id = $2 and user_id = any($3::uuid[])`;

/** The open bonus challenge as somebody meets it; undefined where there is none. */
export async function openBonus(
  pool: Pool,
  { orgId, userId, at }: { orgId: string; userId: string; at: Date },
): Promise<BonusChallenge | undefined> {
  type Row = Omit<BonusChallenge, 'expiresAt'> & { expiresAt: Date };
  const { rows } = await tenantQuery<Row>(pool, orgId, openSql, [orgId, userId, at]);
  return rows[0] && { ...rows[0], expiresAt: rows[0].expiresAt.toISOString() };
}

/** Those of the readers who have completed a challenge. */
export async function completersOf(
  pool: Pool,
  { orgId, challengeId, readers }: { orgId: string; challengeId: string; readers: readonly string[] },
): Promise<string[]> {
  const { rows } = await tenantQuery<{ userId: string }>(pool, orgId, completedSql, [orgId, challengeId, readers]);
  return rows.map(({ userId }) => userId);
}

type Row = Omit<Figures, 'streaks'> & { readonly alive: number; readonly atRisk: number };

/** No streak counts for members with days that only they may see: it might rest on these (D21). */
const shownStreaks = `streak_runs r where r.org_id = $1 and r.ended_on - r.started_on >= 2 and not exists (
    select from member_totals t where t.org_id = $1 and t.user_id = r.user_id and t.owner_only_entries > 0)`;

// $2 is now, $3 the running Monday, $4 yesterday, $5 the activities that are asked for. Fourteen days, once a day. What somebody moved
// for themselves alone is nobody's sport (D21).
const figuresSql = `
  with ${teamStandingsSql}, movements as (
    select activity_type, centimiles, audience, ended_at > $2::timestamptz - interval '7 days' as is_late
    from credited_movements
    where org_id = $1 and ended_at > $2::timestamptz - interval '14 days' and ended_at <= $2
  )
  select
    (select coalesce(json_object_agg(activity_type, centimiles), '{}') from (
      select activity_type, sum(centimiles) as centimiles from movements
      where is_late and audience = 'organisation' and activity_type = any($5) group by 1) a) as centimiles_by_activity,
    (select coalesce(sum(centimiles), 0)::float from movements where is_late) as centimiles_lately,
    (select coalesce(sum(centimiles), 0)::float from movements where not is_late) as centimiles_before,
    (select coalesce(json_agg(week_centimiles), '[]') from standings where not is_retired) as team_centimiles,
    (select count(*)::int from ${shownStreaks} and ended_on >= $4::date) as alive,
    (select count(*)::int from ${shownStreaks} and ended_on = $4::date) as at_risk,
    (select strategy from bonus_challenges where org_id = $1 order by opened_at desc limit 1) as last_strategy`;

/** What the strategies ask of an organisation. */
export async function figuresOf(tx: Tx, { orgId, zones, at }: { orgId: string; zones: ZoneHistory; at: Date }) {
  const today = organisationDateOf(zones, at);
  const activities = presetActivities.map(({ name }) => name);
  const { rows } = await tx.query<Row & { lastStrategy: Strategy | null }>(figuresSql, [
    orgId,
    at,
    weekStartOf(today),
    addDays(today, -1),
    activities,
  ]);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row');
  const { alive, atRisk, ...figures } = row;
  return { ...figures, streaks: { alive, atRisk } } satisfies Figures;
}

/** How many have completed each challenge by now. */
export async function outcomesOf(tx: Tx, events: readonly Recorded<BonusChallengeEvent>[]): Promise<Outcome[]> {
  const { rows } = await tx.query<{ challengeId: string; completedCount: number }>(
    `select challenge_id, count(*)::int as completed_count from bonus_completions
     where (org_id, challenge_id) in (select * from unnest($1::uuid[], $2::uuid[])) group by 1`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.challengeId)],
  );
  const counts = new Map(rows.map(({ challengeId, completedCount }) => [challengeId, completedCount]));
  return events.map(({ data }) => ({ completedCount: counts.get(data.challengeId) ?? 0 }));
}
