-- A transaction that has written holds deleted rows back as a snapshot does, also while it is idle and has none: a forgotten
-- `begin; update …` in psql.
create or replace function es.oldest_snapshot()
returns table (pid integer, application text, role text, state text, age_seconds double precision) language sql stable
security definer set search_path = pg_catalog as $$
  select pid, coalesce(application_name, ''), coalesce(usename, ''), state,
    extract(epoch from clock_timestamp() - xact_start)::float8
  from pg_stat_activity
  where datname = current_database() and (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid()
    and backend_type <> 'autovacuum worker'
  order by greatest(age(backend_xmin), age(backend_xid)) desc, xact_start limit 1
$$;
