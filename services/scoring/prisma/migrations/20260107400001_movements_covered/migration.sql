-- The newest movements, and all of some weeks for the figures of admins (ADR 0054): these are sums over all members, read
-- without looking up each row. One index as before, so that a log costs no further write.
create index credited_movements_by_end on credited_movements (org_id, ended_at desc, log_id desc)
  include (user_id, activity_key, audience);
drop index credited_movements_newest;
alter index credited_movements_by_end rename to credited_movements_newest;
