import { type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { StreakRun, StreakStart } from '@caravan/contracts/domain/movement/streak';
import { textKey } from '@caravan/contracts/domain/text/text-key';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Round } from './notice-times.ts';
import { nearGoalCentimiles, type RunningStreak, weeklyGoalCentimiles, type WeekSoFar } from './reminders.ts';

export type OpenBonus = {
  readonly challengeId: string;
  readonly name: string;
  readonly activityType: string;
  readonly openedAt: string;
  readonly expiresAt: string;
};

export type Organisation = {
  readonly orgId: string;
  readonly history: ZoneHistory;
  /** In which it is now. */
  readonly timeZone: string;
  readonly hasFreezes: boolean;
  /** Of its members. */
  readonly zones: readonly string[];
  /** At most one is open (D15). */
  readonly bonus: OpenBonus | null;
};

type Which = Pick<Organisation, 'orgId' | 'timeZone'>;

// $1 is the organisation, $2 and $3 zones and their dates, $4 the zone of members whose own is not known, $5 the kind.
const present = `
  from unnest($2::text[], $3::date[]) as z (time_zone, local_date)
  join members m on m.org_id = $1 and coalesce(m.time_zone, $4) = z.time_zone and m.is_active and not m.is_erased`;
const unsent = `not exists (select from sent_reminders t
  where t.org_id = $1 and t.user_id = m.user_id and t.kind = $5 and t.sent_on = z.local_date)`;

const valuesOf = ({ orgId, timeZone }: Which, rounds: readonly Round[], kind: string): unknown[] => [
  orgId,
  rounds.map((round) => round.timeZone),
  rounds.map(({ on }) => on),
  timeZone,
  kind,
];

// A missed day or more lies behind who moved before yesterday: two freezes and a Monday's hold for three.
const streaksSql = `
  select m.user_id, z.local_date as "on", json_build_object('startedOn', r.started_on, 'endedOn', r.ended_on) as run,
    case when s.user_id is not null then
      json_build_object('startedOn', s.started_on, 'daysBefore', s.days_before, 'freezes', s.freezes) end as start
  ${present}
  cross join lateral (
    select started_on, ended_on from streak_runs
    where org_id = $1 and user_id = m.user_id order by started_on desc limit 1
  ) r
  left join streak_starts s on s.org_id = $1 and s.user_id = m.user_id
  where r.ended_on between z.local_date - 5 and z.local_date - 1 and ${unsent}`;

export async function runningStreaks(tx: Tx, which: Which, rounds: readonly Round[]): Promise<RunningStreak[]> {
  const values = valuesOf(which, rounds, 'streak-at-risk');
  type Row = { userId: string; on: string; run: StreakRun; start: StreakStart | null };
  return (await tx.query<Row>(streaksSql, values)).rows;
}

const weeksSql = `
  select m.user_id, z.local_date as "on", w.centimiles, w.week_starts_on
  ${present}
  join member_weeks w on w.org_id = $1 and w.week_starts_on = $6 and w.user_id = m.user_id
  where w.centimiles >= $7 and w.centimiles < $8 and ${unsent}`;

export async function weeksNearGoal(
  tx: Tx,
  which: Which,
  { rounds, weekStartsOn }: { rounds: readonly Round[]; weekStartsOn: string },
): Promise<WeekSoFar[]> {
  const values = [...valuesOf(which, rounds, 'goal-near'), weekStartsOn, nearGoalCentimiles, weeklyGoalCentimiles];
  return (await tx.query<WeekSoFar>(weeksSql, values)).rows;
}

export type Participant = { readonly userId: string; readonly teamId: string; readonly on: string };

const begunSql = `
  select m.user_id, m.team_id, z.local_date as "on"
  ${present}
  join member_weeks w on w.org_id = $1 and w.week_starts_on = $6 and w.user_id = m.user_id
  where w.centimiles > 0 and ${unsent} order by 1`;

/** Whoever moved in the week. */
export async function participants(
  tx: Tx,
  which: Which,
  { rounds, weekStartsOn }: { rounds: readonly Round[]; weekStartsOn: string },
): Promise<Participant[]> {
  return (await tx.query<Participant>(begunSql, [...valuesOf(which, rounds, 'challenge-ending'), weekStartsOn])).rows;
}

// Moved as the challenge asks, and too little: what was enough completed it.
const bonusSql = `
  select m.user_id, m.team_id, z.local_date as "on"
  ${present}
  where exists (select from credited_movements c where c.org_id = $1 and c.user_id = m.user_id
      and c.activity_key = $7 and c.ended_at > $8 and c.centimiles > 0)
    and not exists (select from bonus_completions b where b.org_id = $1 and b.challenge_id = $6 and b.user_id = m.user_id)
    and ${unsent}`;

export async function bonusTriers(
  tx: Tx,
  which: Which,
  { rounds, bonus }: { rounds: readonly Round[]; bonus: OpenBonus },
): Promise<Participant[]> {
  const { challengeId, activityType, openedAt } = bonus;
  const values = [...valuesOf(which, rounds, 'challenge-ending'), challengeId, textKey(activityType), openedAt];
  return (await tx.query<Participant>(bonusSql, values)).rows;
}
