-- `time_zone` is the zone of the founding; changes are objects of `from` (a Monday) and `timeZone`, oldest first (ADR 0099).
alter table organisations add column time_zone_changes jsonb not null default '[]';
