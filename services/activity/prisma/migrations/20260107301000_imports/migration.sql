-- A log for its owner alone is shown to nobody else, whatever the owner's privacy (D21).
alter table movement_logs add column audience text not null default 'organisation';

-- What a platform measured of a member's body goes where words go: beside the log, which never forgets.
alter table movement_texts add column heart_rate integer;
alter table movement_texts add column calories integer;
