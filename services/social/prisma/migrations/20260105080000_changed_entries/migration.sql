-- What changed lately below entries stands in Redis, for reactions and comments alike (feed/changed-entries.client.ts).
drop table comment_threads;
