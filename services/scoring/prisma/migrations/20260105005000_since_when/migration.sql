-- Since when a member belongs to the organisation and to the team: nobody claims a week that ended before. Null for those
-- who joined before it was kept.
alter table members add column joined_on date, add column in_team_since date;

-- Set where members may have earned badges that nobody has awarded: histories from before there were badges, and streaks
-- that are longer by another rule. A job reviews the organisation and clears it.
alter table organisations add column badges_due_at timestamptz default now();
alter table organisations alter column badges_due_at drop default;
create index organisations_badges_due on organisations (badges_due_at) where badges_due_at is not null;
