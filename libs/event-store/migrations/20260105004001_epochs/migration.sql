-- A log that is restored to an earlier point uses positions again, for other facts. So positions belong to an epoch: a new
-- one begins with the log and with every restore (`./caravan begin-epoch`). It is the instant of its beginning in
-- milliseconds, so that a second restore of one backup begins another one still. Positions from `from_pos` on are its own;
-- what the restored log holds below keeps the epoch it was published in.
create table es.epochs (
  epoch bigint primary key,
  from_pos bigint not null
);

-- To see whether there is a log already: what it has published until now is known everywhere as epoch 0.
set local app.org = 'system';
insert into es.epochs (epoch, from_pos)
select case when exists (select from es.events) or exists (select from es.outbox) then 0
  else (extract(epoch from clock_timestamp()) * 1000)::bigint end, 1;

create function es.epoch_at(p_pos bigint) returns bigint language sql stable as $$
  select epoch from es.epochs where from_pos <= p_pos order by epoch desc limit 1
$$;

-- Begins an epoch after a restore; run it as the owner, before the service starts.
create function es.begin_epoch() returns bigint language sql as $$
  insert into es.epochs (epoch, from_pos)
  select greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, max(e.epoch) + 1),
    (select case when s.is_called then s.last_value + 1 else s.last_value end from es.events_pos_seq s)
  from es.epochs e
  returning epoch
$$;
