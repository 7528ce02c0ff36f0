-- A post for its owner alone is shown to nobody else, whatever the owner's privacy (D21).
alter table posts add column audience text not null default 'organisation';
