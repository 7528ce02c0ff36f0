import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import type { Tx } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import type { Target, WeekFigures } from './progress.ts';

export type Challenge = Target &
  Pick<WeeklyChallenge, 'name' | 'challengeType'> & {
    readonly challengeId: string;
    readonly bonusCentimiles: number;
    readonly weekStartsOn: string;
  };

export type Participant = { readonly orgId: string; readonly userId: string };

/** A challenge as a member meets it. */
export type MetChallenge = Challenge & {
  /** The member's team now; null while this service has not heard of the member. */
  readonly teamId: string | null;
  readonly isClaimed: boolean;
};

/** Throws `Rejected` for a challenge that the organisation does not have. */
export async function challengeFor(tx: Tx, { orgId, userId }: Participant, challengeId: string): Promise<MetChallenge> {
  const { rows } = await tx.query<MetChallenge>(
    `select w.challenge_id as "challengeId", w.name, w.target_value::float as "targetValue", w.target_unit as "targetUnit",
       w.challenge_type as "challengeType", w.bonus_centimiles as "bonusCentimiles", w.week_starts_on as "weekStartsOn",
       (select team_id from members where org_id = $1 and user_id = $3) as "teamId",
       coalesce(c.is_claimed, false) as "isClaimed"
     from weekly_challenges w
     left join weekly_claims c on c.org_id = w.org_id and c.challenge_id = w.challenge_id and c.user_id = $3
     where w.org_id = $1 and w.challenge_id = $2`,
    [orgId, challengeId, userId],
  );
  if (!rows[0]) throw new Rejected('weekly-challenges/not-found', 'not-found', 'This challenge does not exist');
  return rows[0];
}

// What became of each log in each day: corrections and removals are entries of the same log. Nothing was credited before
// the week began anywhere on earth, so the newest entries are enough.
const figuresSql = (whose: string) => `
  with logs as (
    select user_id, log_id, credited_on, sum(centimiles) as centimiles, sum(minutes) as minutes
    from ledger_entries
    where org_id = $1 and week_starts_on = $2 and log_id is not null and ${whose}
    group by 1, 2, 3 having sum(centimiles) > 0
  )
  select coalesce(sum(centimiles), 0)::int as centimiles, coalesce(sum(minutes), 0)::int as minutes,
    count(distinct log_id)::int as activities, count(distinct (user_id, credited_on))::int as days
  from logs`;

const ownFiguresSql = figuresSql(`user_id = $3 and credited_at >= $2::date - 1`);
const teamFiguresSql = figuresSql(`team_id = $3`);

/** What counts for a challenge: the member's own week, or their team's. */
export async function figuresFor(
  tx: Tx,
  { orgId, userId, teamId }: Participant & { readonly teamId: string | null },
  { challengeType, weekStartsOn }: Pick<Challenge, 'challengeType' | 'weekStartsOn'>,
): Promise<WeekFigures> {
  const [sql, whose] = challengeType === 'team' ? [teamFiguresSql, teamId] : [ownFiguresSql, userId];
  const { rows } = await tx.query<WeekFigures>(sql, [orgId, weekStartsOn, whose]);
  return rows[0] ?? { centimiles: 0, days: 0, activities: 0, minutes: 0 };
}
