import { OpenToErrands } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { myDataPath } from '@caravan/contracts/http/my-data';
import type { MyData } from '@caravan/contracts/http/my-data';
import { readMyData } from '@caravan/service-kit/storage/my-data';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject } from '@nestjs/common';

/** What scoring holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
export const ownFiles = {
  'miles-ledger': `
    select e.entry_id, e.kind, (e.centimiles / 100.0)::float8 as miles, e.log_id,
      c.activity_type, c.ended_at as movement_ended_at, e.credited_on,
      e.credited_at, e.week_starts_on, t.name as earned_for_team
    from ledger_entries e
    left join credited_movements c on c.org_id = e.org_id and c.log_id = e.log_id
    left join teams t on t.org_id = e.org_id and t.team_id = e.team_id
    where e.org_id = $1 and e.user_id = $2 order by e.credited_at, e.entry_id`,
  'miles-total': `
    select (centimiles / 100.0)::float8 as miles, reached_at, version as number_of_entries
    from member_totals where org_id = $1 and user_id = $2`,
  'miles-by-week': `
    select week_starts_on, (centimiles / 100.0)::float8 as miles
    from member_weeks where org_id = $1 and user_id = $2 order by 1`,
  'ranks-by-week': `
    select week_starts_on, rank, (centimiles / 100.0)::float8 as total_miles
    from member_ranks where org_id = $1 and user_id = $2 order by 1`,
  'active-days': `
    select credited_on as "date", sum(movements)::int as number_of_entries
    from ledger_entries where org_id = $1 and user_id = $2 group by 1 having sum(movements) > 0 order by 1`,
  streaks: `
    select r.started_on, r.ended_on, r.ended_on - r.started_on + 1 as days,
      s.days_before as streak_days_before, s.freezes as freezes_at_start
    from streak_runs r
    left join streak_starts s on s.org_id = r.org_id and s.user_id = r.user_id and s.started_on = r.started_on
    where r.org_id = $1 and r.user_id = $2 order by 1`,
  badges: `
    select badge_id as badge, earned_at from member_badges
    where org_id = $1 and user_id = $2 order by earned_at, badge_id`,
  'weekly-challenges': `
    select w.name as challenge, w.week_starts_on, c.is_claimed,
      (w.bonus_centimiles / 100.0)::float8 as bonus_miles
    from weekly_claims c join weekly_challenges w on w.org_id = c.org_id and w.challenge_id = c.challenge_id
    where c.org_id = $1 and c.user_id = $2 order by w.week_starts_on, w.place`,
  'bonus-challenges': `
    select b.title as challenge, c.log_id, c.completed_at
    from bonus_completions c join bonus_challenges b on b.org_id = c.org_id and b.challenge_id = c.challenge_id
    where c.org_id = $1 and c.user_id = $2 order by c.completed_at`,
  reminders: `
    select kind, sent_on as "date", sent_at from sent_reminders
    where org_id = $1 and user_id = $2 order by sent_on, kind`,
  'reached-challenges': `
    select w.name as challenge, w.week_starts_on, r.reached_at
    from reached_challenges r join weekly_challenges w on w.org_id = r.org_id and w.challenge_id = r.challenge_id
    where r.org_id = $1 and r.user_id = $2 order by w.week_starts_on, w.place`,
  'board-profile': `
    select m.name, m.photo_url, m.time_zone, t.name as team, m.is_active,
      m.stats_visible, m.activity_visible, m.profile_visible
    from members m join teams t on t.org_id = m.org_id and t.team_id = m.team_id
    where m.org_id = $1 and m.user_id = $2`,
  'team-memberships': `
    select t.name as team, s.since, s.until from team_memberships s
    join teams t on t.org_id = s.org_id and t.team_id = s.team_id
    where s.org_id = $1 and s.user_id = $2 order by s.since`,
} as const;

/** What this service holds about the person who asks, for the export of identity. */
@OpenToErrands()
@Controller(myDataPath)
export class MyDataController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  read(@CurrentCaller() caller: Caller): Promise<MyData> {
    return readMyData(this.pool, caller, ownFiles);
  }
}
