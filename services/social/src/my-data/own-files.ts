/** What social holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
export const ownFiles = {
  posts: `
    select log_id as "postId", created_at as "createdAt", activity_type as "activityType",
      duration_minutes as "durationMinutes", (centimiles / 100.0)::float8 as miles, source, caption
    from posts where org_id = $1 and user_id = $2 order by created_at, log_id`,
  'feed-profile': `
    select name, photo_url as "photoUrl", team_id as "teamId", activity_visible as "activityVisible",
      profile_visible as "profileVisible"
    from members where org_id = $1 and user_id = $2`,
} as const;
