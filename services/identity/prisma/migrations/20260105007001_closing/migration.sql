-- An organisation that nobody is in is closed. Its row stays without a word in it: farewells and codes of invites hang on it.
alter table organisations add column closed_at timestamptz;
create index organisations_closed_at on organisations (closed_at) where closed_at is not null;
