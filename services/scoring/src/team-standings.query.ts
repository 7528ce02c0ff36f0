/**
 * Teams with their sums, as SQL: $1 is the organisation, $3 the Monday of the running week. Sums stand in team_totals and
 * team_weeks; credits that are not moved there yet are added from pending_team_credits. A retired team is among them as long as it has miles (D2).
 */
export const teamStandingsSql = `
  pending as (
    select team_id, sum(centimiles) as centimiles, max(credited_at) as reached_at,
      coalesce(sum(centimiles) filter (where week_starts_on = $3), 0) as week_centimiles,
      max(coalesce(week_reached_at, credited_at)) filter (where week_starts_on = $3) as week_reached_at
    from pending_team_credits_of($1) group by team_id
  ), standings as (
    select t.team_id, t.name, t.emoji, t.formed_position, t.member_count, t.is_retired,
      coalesce(s.centimiles, 0) + coalesce(f.centimiles, 0) as centimiles,
      coalesce(w.centimiles, 0) + coalesce(f.week_centimiles, 0) as week_centimiles,
      greatest(s.reached_at, f.reached_at) as reached_at, greatest(w.reached_at, f.week_reached_at) as week_reached_at
    from teams t
    left join team_totals s on s.org_id = t.org_id and s.team_id = t.team_id
    left join team_weeks w on w.org_id = t.org_id and w.team_id = t.team_id and w.week_starts_on = $3
    left join pending f on f.team_id = t.team_id
    where t.org_id = $1 and (not t.is_retired or coalesce(s.centimiles, 0) + coalesce(f.centimiles, 0) > 0)
  )`;
