-- Who holds the oldest snapshot of this database, so that figures can tell: rows that were deleted since then cannot go.
-- With the owner's eyes, who sees other roles' sessions if `pg_read_all_stats` was granted to it; nobody sees what they ask.
create function es.oldest_snapshot()
returns table (pid integer, application text, role text, state text, age_seconds double precision) language sql stable
security definer set search_path = pg_catalog as $$
  select pid, coalesce(application_name, ''), coalesce(usename, ''), state,
    extract(epoch from clock_timestamp() - xact_start)::float8
  from pg_stat_activity
  where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()
    and backend_type <> 'autovacuum worker'
  order by age(backend_xmin) desc, xact_start limit 1
$$;
