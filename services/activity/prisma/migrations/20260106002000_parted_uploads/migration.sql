-- What S3 calls a file that is sent in parts; null where it comes whole.
alter table uploads add multipart_id text;
