alter table connect_attempts alter column session_id set not null;
