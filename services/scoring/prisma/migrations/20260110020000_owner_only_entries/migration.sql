-- Entries that rest on data only their owner may see (D21), and how much of a total that is. Of older rows nothing is
-- known; a rebuild of miles-ledger does not tell either, since older events do not.
alter table ledger_entries add column is_owner_only boolean not null default false;
alter table member_totals add column owner_only_centimiles bigint not null default 0,
  add column owner_only_entries integer not null default 0;

-- Badges that only their owner may see (D13).
alter table member_badges add column is_owner_only boolean not null default false;
