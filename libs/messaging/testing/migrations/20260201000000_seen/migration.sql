-- What the consumers of the tests have done, in the order in which they did it. No constraint: a repeat must show.
create table seen (
  seen_id bigint generated always as identity primary key,
  consumer_group text not null,
  key text not null,
  position bigint not null,
  n integer not null
);
