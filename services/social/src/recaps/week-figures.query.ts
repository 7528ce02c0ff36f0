import { addDays } from '@caravan/contracts/domain/time/local-days';
import { startOfOrganisationDate } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Checkpoint, Story, Week } from './recap.ts';

/** Figures of a week, one statement each: $1 is the organisation, $2 its Monday, $3 its Sunday, $4 when it begins, $5 when it is over. */
export type WeekFigures = {
  readonly centimiles: number;
  readonly memberCount: number;
  readonly activeMembers: number;
  readonly signIns: number;
  readonly newActivities: number;
  readonly story: Story;
};

const mostNamed = 3;
const mostListed = 10;

const isInWeek = (instant: string): string => `${instant} >= $4 and ${instant} < $5`;

/** Of each member or team: this week's miles and those of the week before. */
const weeksOf = (whose: 'user_id' | 'team_id'): string => `
  select ${whose} as id, coalesce(sum(centimiles) filter (where week_starts_on = $2), 0) as miles,
    coalesce(sum(centimiles) filter (where week_starts_on < $2), 0) as before
  from recap_member_weeks where org_id = $1 and week_starts_on in ($2, $2::date - 7) group by 1`;

const totalsSql = `
  select coalesce(sum(miles), 0)::float8 as centimiles, coalesce(sum(before), 0)::float8 as previous_centimiles,
    count(*) filter (where miles > 0)::int as member_count,
    (select count(*)::int from members where org_id = $1 and is_active and not is_erased) as active_members,
    (select coalesce(sum(count), 0)::int from recap_sign_ins
      where org_id = $1 and signed_in_on between $2 and $3) as sign_ins,
    (select count(*)::int from posts p
      where p.org_id = $1 and p.audience = 'organisation' and ${isInWeek('p.created_at')}) as new_activities
  from (${weeksOf('user_id')}) w`;

const teamsSql = `
  select w.id as team_id, miles::float8 as centimiles, before::float8 as previous_centimiles
  from (${weeksOf('team_id')}) w left join teams t on t.org_id = $1 and t.team_id = w.id
  where miles > 0 order by miles desc, t.formed_position, w.id limit ${mostNamed}`;

/** More than in the week before, which they moved in, too: who begins has improved on nothing. */
const improvedSql = `
  select w.id as user_id, miles::float8 as centimiles, before::float8 as previous_centimiles
  from (${weeksOf('user_id')}) w join members m on m.org_id = $1 and m.user_id = w.id
  where before > 0 and miles > before and m.stats_visible and m.profile_visible and m.is_active and not m.is_erased
  order by miles - before desc, w.id limit ${mostNamed}`;

/**
 * A streak that was there before the week, or began with it, and had not ended on Sunday. One that ends in the week or
 * after it is told by the member's newest entry, which a row of that time holds (figures.store.ts).
 */
const streaksSql = `
  , latest as (
    select distinct on (user_id) run_started_on as started_on, run_ended_on as ended_on, run_days as days
    from recap_member_weeks where org_id = $1 and week_starts_on >= $2 and position is not null
    order by user_id, epoch desc, position desc
  )
  select count(*)::int as kept, coalesce(max(days - (ended_on - $3::date)), 0)::int as longest_days
  from latest where ended_on >= $3 and days - (ended_on - $3::date) > 0
    and (started_on <= $2 or days > ended_on - $2::date)`;

const checkpointsSql = `
  select team_id, checkpoint_name as name, route_name, mile_mark,
    is_last
  from checkpoint_entries c where c.org_id = $1 and ${isInWeek('c.reached_at')}
  order by c.reached_at, c.entry_id limit ${mostListed}`;

const challengesSql = `
  select name, count(*)::int as completions from recap_achievements f
  where f.org_id = $1 and f.kind = 'weekly-challenge' and f.name is not null and ${isInWeek('f.happened_at')}
  group by 1 order by 2 desc, 1 limit ${mostListed}`;

const featsSql = `
  select count(*) filter (where kind = 'bonus-challenge')::int as bonus_completions,
    count(*) filter (where kind = 'badge')::int as badges_earned
  from recap_achievements f where f.org_id = $1 and ${isInWeek('f.happened_at')}`;

/**
 * The author of a post `p`, member `m`, wants it to stand in recaps (D28), and lets everybody in the organisation read
 * it and know whose it is (D18, D21).
 */
export const isFeaturableSql = `m.featured_in_recaps and p.audience = 'organisation'
  and m.activity_visible and m.profile_visible and m.is_active and not m.is_erased`;

const mostCheeredSql = `
  order by (select coalesce(sum(c.count), 0) from reaction_counts c where c.org_id = p.org_id and c.log_id = p.log_id) desc,
    p.created_at desc, p.log_id limit 1`;

const quoteSql = `
  select p.log_id from posts p join members m on m.org_id = p.org_id and m.user_id = p.user_id
  where p.org_id = $1 and ${isInWeek('p.created_at')} and ${isFeaturableSql}
    and char_length(p.caption) between 8 and 200
  ${mostCheeredSql}`;

const pictureSql = `
  select p.log_id from posts p join members m on m.org_id = p.org_id and m.user_id = p.user_id
  where p.org_id = $1 and ${isInWeek('p.created_at')} and ${isFeaturableSql} and p.photo_path is not null
  ${mostCheeredSql}`;

type Totals = Omit<WeekFigures, 'story'> & { readonly previousCentimiles: number };

/** Gives each parameter its type, also in statements that do not need all of them. */
const typed = 'with week as (select $1::uuid, $2::date, $3::date, $4::timestamptz, $5::timestamptz) ';

export async function weekFigures(tx: Tx, { orgId, startsOn, endsOn, zones }: Week): Promise<WeekFigures> {
  const [startsAt, endsAt] = [startsOn, addDays(endsOn, 1)].map((date) => startOfOrganisationDate(zones, date));
  const all = async <Row extends object>(sql: string) =>
    (await tx.query<Row>(typed + sql, [orgId, startsOn, endsOn, startsAt, endsAt])).rows;
  const [[totals], teams, improved, [streaks], checkpoints, challenges, [feats], [quote], [picture]] =
    await Promise.all([
      all<Totals>(totalsSql),
      all<Story['teams'][number]>(teamsSql),
      all<Story['improved'][number]>(improvedSql),
      all<Story['streaks']>(streaksSql),
      all<Checkpoint>(checkpointsSql),
      all<Story['challenges'][number]>(challengesSql),
      all<Pick<Story, 'bonusCompletions' | 'badgesEarned'>>(featsSql),
      all<{ logId: string }>(quoteSql),
      all<{ logId: string }>(pictureSql),
    ]);
  if (!totals || !streaks || !feats) throw new Error('Aggregates always answer a row');
  const { previousCentimiles, ...counted } = totals;
  const featured = { quotedLogId: quote?.logId ?? null, picturedLogId: picture?.logId ?? null };
  return {
    ...counted,
    story: { previousCentimiles, teams, improved, streaks, checkpoints, challenges, ...feats, ...featured },
  };
}

/** The names that these teams have now, by their ids. */
export async function teamNamesOf(
  tx: Tx,
  orgId: string,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query<{ teamId: string; name: string }>(
    'select team_id, name from teams where org_id = $1 and team_id = any($2::uuid[])',
    [orgId, teamIds],
  );
  return new Map(rows.map(({ teamId, name }) => [teamId, name]));
}
