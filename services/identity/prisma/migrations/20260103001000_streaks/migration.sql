-- The streak on the last day of a member's latest run, with the freezes saved up (D11); null until scoring tells it.
alter table member_scores
  add column streak_days integer,
  add column streak_freezes smallint;
