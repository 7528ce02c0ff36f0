-- Whether freezes hold streaks over missed days (D11).
alter table organisations add column has_streak_freezes boolean not null default true;
-- A streak is told on the member's own date (D10); null, the organisation's, for those who joined before it was kept.
alter table members add column time_zone text;
