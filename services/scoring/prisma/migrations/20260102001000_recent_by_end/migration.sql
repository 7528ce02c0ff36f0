-- 'Recent Team Activity' tells when somebody moved, not when it was typed in.
alter table credited_movements rename column logged_at to ended_at;
