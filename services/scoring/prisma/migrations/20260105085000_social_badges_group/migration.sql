-- Two groups that read the same topic are one. It reads the topic from the beginning: a badge is earned once, so that what
-- was applied before changes nothing. What stood still under the old names may be older than the topic and moves along, in
-- the order of its log, in which the new group applies each key.
with moved as (
  delete from msg.parked where consumer_group in ('scoring.award-cheerleaders', 'scoring.award-voters') returning *
)
insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, type, position, value, headers,
  error_code, error_message, attempts, parked_at)
select distinct on (key, partition_id, message_offset) 'scoring.award-social-badges', service, key, topic, partition_id,
  message_offset, type, position, value, headers, error_code, error_message, attempts, parked_at
from moved order by key, partition_id, message_offset, attempts desc;

delete from msg.offsets where consumer_group in ('scoring.award-cheerleaders', 'scoring.award-voters');
delete from msg.progress where consumer_group in ('scoring.award-cheerleaders', 'scoring.award-voters');
delete from msg.applied where consumer_group in ('scoring.award-cheerleaders', 'scoring.award-voters');
