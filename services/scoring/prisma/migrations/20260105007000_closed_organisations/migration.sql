-- In an organisation that closed no week begins and no challenge opens; miles on their way still find its time zone.
alter table organisations add column is_closed boolean not null default false;
