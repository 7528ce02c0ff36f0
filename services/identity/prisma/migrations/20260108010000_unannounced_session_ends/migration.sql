-- Ends of sessions that Redis has not stored yet. It does not say whose they were.

create table unannounced_session_ends (
  session_id uuid primary key,
  ended_at timestamptz not null
);
create index unannounced_session_ends_ended_at on unannounced_session_ends (ended_at);
