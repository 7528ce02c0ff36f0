-- What must still happen after the rows of a person are gone. Neither table says whose it was.

-- Files to be removed from the object store; the row goes when the file has.
create table discarded_objects (
  object_key text primary key,
  discarded_at timestamptz not null
);

-- Sessions of erased accounts, for as long as one of their tokens could be shown: Redis may have been away when they ended.
create table erased_sessions (
  session_id uuid primary key,
  erased_at timestamptz not null
);
create index erased_sessions_erased_at on erased_sessions (erased_at);
