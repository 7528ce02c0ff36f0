import { OpenToErrands } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { myDataPath } from '@caravan/contracts/http/my-data';
import type { MyData } from '@caravan/contracts/http/my-data';
import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { readMyData } from '@caravan/service-kit/storage/my-data';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject } from '@nestjs/common';
import { isMentionNamedSql } from '../comments/index.ts';
import { isItemShownSql } from '../notifications/index.ts';

/** What social holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
const ownFiles = {
  posts: `
    select log_id as post_id, created_at, activity_type,
      duration_minutes, (centimiles / 100.0)::float8 as miles, source, caption, location,
      audience, heart_rate, calories, photo_path, photo ->> 'alt' as photo_shows
    from posts where org_id = $1 and user_id = $2 order by created_at, log_id`,
  reactions: `
    select log_id as post_id, emoji, given_at
    from reactions where org_id = $1 and user_id = $2 order by given_at, log_id, emoji`,
  comments: `
    select k.comment_id, k.entry_id as post_id, k.created_at, k.edited_at,
      (select string_agg(case jsonb_typeof(piece) when 'string' then piece #>> '{}'
          else '@' || coalesce(u.name, '${hiddenMemberName}') end, '' order by nth)
       from jsonb_array_elements(k.content) with ordinality as c (piece, nth)
       left join members u on u.org_id = $1 and u.user_id = (piece ->> 'member')::uuid
         and ${isMentionNamedSql}) as text,
      k.hidden_at, k.hidden_reason
    from comments k where k.org_id = $1 and k.author_id = $2 order by k.created_at, k.comment_id`,
  'comment-reports': `
    select comment_id, reported_at, reason
    from comment_reports where org_id = $1 and reporter_id = $2 order by reported_at, comment_id`,
  'feed-profile': `
    select name, photo_url, team_id, activity_visible,
      profile_visible, time_zone, joined_on, is_active,
      stats_visible, featured_in_recaps,
      share_heart_rate, share_calories
    from members where org_id = $1 and user_id = $2`,
  'team-name-votes': `
    select v.ballot_id, b.team_id, n.name as chosen_name, v.voted_at
    from ballot_votes v join ballots b on (b.org_id, b.ballot_id) = (v.org_id, v.ballot_id)
    left join ballot_names n on (n.org_id, n.ballot_id, n.option_id) = (v.org_id, v.ballot_id, v.option_id)
    where v.org_id = $1 and v.user_id = $2 order by v.voted_at`,
  notifications: `
    select n.kind, n.subject, n.raised_at, n.read_at, count(*)::int as count,
      json_agg(i.facts order by i.happened_at) as facts
    from notices n join notice_items i on i.org_id = n.org_id and i.notice_id = n.notice_id
    where n.org_id = $1 and n.user_id = $2 and ${isItemShownSql} group by n.org_id, n.notice_id order by n.raised_at`,
  'muted-notifications': `
    select unnest(kinds) as kind from notice_mutes where org_id = $1 and user_id = $2`,
  'recap-engagement': `
    select r.week_starts_on, e.viewed_at, e.reaction_emoji,
      e.vibe_emoji, e.feedback_text
    from recap_engagement e join weekly_recaps r on (r.org_id, r.recap_id) = (e.org_id, e.recap_id)
    where e.org_id = $1 and e.user_id = $2 order by r.week_starts_on`,
  'recap-weeks': `
    select week_starts_on, team_id, (centimiles / 100.0)::float8 as miles
    from recap_member_weeks where org_id = $1 and user_id = $2 order by week_starts_on, team_id`,
  'recap-streaks': `
    select run_started_on as started_on, run_ended_on as ended_on, run_days as days
    from recap_member_weeks where org_id = $1 and user_id = $2 and position is not null
    order by epoch desc, position desc limit 1`,
  'recap-feats': `
    select kind, subject, name, happened_at
    from recap_achievements where org_id = $1 and user_id = $2 order by happened_at, kind, subject`,
} as const;

@OpenToErrands()
@Controller(myDataPath)
export class MyDataController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  read(@CurrentCaller() caller: Caller): Promise<MyData> {
    return readMyData(this.pool, caller, ownFiles);
  }
}
