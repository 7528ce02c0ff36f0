/**
 * One step each. KEYS of a board: names by score · version and name by member · ready · building; last of all what
 * changed any board of the organisation, which is never the same twice.
 */

/**
 * ARGV: per board how many totals and seconds (0: for good); per total member, version, centimiles, score, name; last
 * of all the change. Older versions change nothing. Boards neither ready nor being built are passed over: the rows have
 * the totals.
 */
export const raiseScript = `
local raised, at = 0, 1
for b = 1, #KEYS - 1, 4 do
  local names, versions = KEYS[b], KEYS[b + 1]
  local totals, seconds = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local from = at + 2
  at = from + 5 * totals
  local isKept = redis.call('EXISTS', KEYS[b + 2], KEYS[b + 3]) > 0
  for i = from, isKept and at - 1 or 0, 5 do
    local known = redis.call('HGET', versions, ARGV[i])
    local version, name = 0, false
    if known then
      local split = string.find(known, ':', 1, true)
      version, name = tonumber(string.sub(known, 1, split - 1)), string.sub(known, split + 1)
    end
    if tonumber(ARGV[i + 1]) > version then
      if name and name ~= ARGV[i + 4] then redis.call('ZREM', names, name) end
      if tonumber(ARGV[i + 2]) > 0 then
        redis.call('ZADD', names, ARGV[i + 3], ARGV[i + 4])
      else
        redis.call('ZREM', names, ARGV[i + 4])
      end
      redis.call('HSET', versions, ARGV[i], ARGV[i + 1] .. ':' .. ARGV[i + 4])
      raised = raised + 1
    end
  end
  if isKept and seconds > 0 then
    redis.call('EXPIRE', names, seconds)
    redis.call('EXPIRE', versions, seconds)
  end
end
redis.call('SET', KEYS[#KEYS], ARGV[#ARGV])
return raised`;

/**
 * ARGV: member, top, neighbours, the change since which the top is known.
 * Answers: ready · change · top unless known · version · count above · first rank · neighbours.
 */
export const readScript = `
local marks = redis.call('MGET', KEYS[3], KEYS[5])
local ready, change = marks[1], marks[2] or ''
if not ready then return {} end
local top = {}
if tonumber(ARGV[2]) > 0 and (change == '' or change ~= ARGV[4]) then
  top = redis.call('ZRANGE', KEYS[1], 0, ARGV[2] - 1, 'WITHSCORES')
end
local known = redis.call('HGET', KEYS[2], ARGV[1])
if not known then return { ready, change, top, '0', 0, 1, {} } end
local split = string.find(known, ':', 1, true)
local version = string.sub(known, 1, split - 1)
local index = redis.call('ZRANK', KEYS[1], string.sub(known, split + 1))
if not index then return { ready, change, top, version, 0, 1, {} } end
local from = math.max(0, index - ARGV[3])
local around = redis.call('ZRANGE', KEYS[1], from, index + ARGV[3], 'WITHSCORES')
local rank = 1 + redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. around[2])
return { ready, change, top, version, from, rank, around }`;

/** ARGV: builder, milliseconds after which it is given up. */
export const beginScript = `
if not redis.call('SET', KEYS[4], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return 1`;

/** ARGV: builder, ready, seconds (0: for good). Not when Redis was emptied meanwhile; parts outlive 'ready'. */
export const finishScript = `
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('SET', KEYS[5], ARGV[1])
for i = 1, tonumber(ARGV[3]) > 0 and 3 or 0 do redis.call('EXPIRE', KEYS[i], ARGV[3]) end
redis.call('DEL', KEYS[4])
return 1`;

export const giveUpScript = `
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[4])`;
