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
    select log_id as "postId", created_at as "createdAt", activity_type as "activityType",
      duration_minutes as "durationMinutes", (centimiles / 100.0)::float8 as miles, source, caption, location,
      audience, heart_rate as "heartRate", calories, photo_path as "photoPath", photo ->> 'alt' as "photoShows"
    from posts where org_id = $1 and user_id = $2 order by created_at, log_id`,
  reactions: `
    select log_id as "postId", emoji, given_at as "givenAt"
    from reactions where org_id = $1 and user_id = $2 order by given_at, log_id, emoji`,
  comments: `
    select k.comment_id as "commentId", k.entry_id as "postId", k.created_at as "createdAt", k.edited_at as "editedAt",
      (select string_agg(case jsonb_typeof(piece) when 'string' then piece #>> '{}'
          else '@' || coalesce(u.name, '${hiddenMemberName}') end, '' order by nth)
       from jsonb_array_elements(k.content) with ordinality as c (piece, nth)
       left join members u on u.org_id = $1 and u.user_id = (piece ->> 'member')::uuid
         and ${isMentionNamedSql}) as text,
      k.hidden_at as "hiddenAt", k.hidden_reason as "hiddenReason"
    from comments k where k.org_id = $1 and k.author_id = $2 order by k.created_at, k.comment_id`,
  'comment-reports': `
    select comment_id as "commentId", reported_at as "reportedAt", reason
    from comment_reports where org_id = $1 and reporter_id = $2 order by reported_at, comment_id`,
  'feed-profile': `
    select name, photo_url as "photoUrl", team_id as "teamId", activity_visible as "activityVisible",
      profile_visible as "profileVisible", time_zone as "timeZone", joined_on as "joinedOn", is_active as "isActive",
      stats_visible as "statsVisible", featured_in_recaps as "featuredInRecaps",
      share_heart_rate as "shareHeartRate", share_calories as "shareCalories"
    from members where org_id = $1 and user_id = $2`,
  'team-name-votes': `
    select v.ballot_id as "ballotId", b.team_id as "teamId", n.name as "chosenName", v.voted_at as "votedAt"
    from ballot_votes v join ballots b on (b.org_id, b.ballot_id) = (v.org_id, v.ballot_id)
    left join ballot_names n on (n.org_id, n.ballot_id, n.option_id) = (v.org_id, v.ballot_id, v.option_id)
    where v.org_id = $1 and v.user_id = $2 order by v.voted_at`,
  notifications: `
    select n.kind, n.subject, n.raised_at as "raisedAt", n.read_at as "readAt", count(*)::int as count,
      json_agg(i.facts order by i.happened_at) as facts
    from notices n join notice_items i on i.org_id = n.org_id and i.notice_id = n.notice_id
    where n.org_id = $1 and n.user_id = $2 and ${isItemShownSql} group by n.org_id, n.notice_id order by n.raised_at`,
  'muted-notifications': `
    select unnest(kinds) as kind from notice_mutes where org_id = $1 and user_id = $2`,
  'recap-engagement': `
    select r.week_starts_on as "weekStartsOn", e.viewed_at as "viewedAt", e.reaction_emoji as "reactionEmoji",
      e.vibe_emoji as "vibeEmoji", e.feedback_text as "feedbackText"
    from recap_engagement e join weekly_recaps r on (r.org_id, r.recap_id) = (e.org_id, e.recap_id)
    where e.org_id = $1 and e.user_id = $2 order by r.week_starts_on`,
  'recap-weeks': `
    select week_starts_on as "weekStartsOn", team_id as "teamId", (centimiles / 100.0)::float8 as miles
    from recap_member_weeks where org_id = $1 and user_id = $2 order by week_starts_on, team_id`,
  'recap-streaks': `
    select run_started_on as "startedOn", run_ended_on as "endedOn", run_days as days
    from recap_member_weeks where org_id = $1 and user_id = $2 and position is not null
    order by epoch desc, position desc limit 1`,
  'recap-feats': `
    select kind, subject, name, happened_at as "happenedAt"
    from recap_feats where org_id = $1 and user_id = $2 order by happened_at, kind, subject`,
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
