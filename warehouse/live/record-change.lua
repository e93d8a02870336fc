-- Records changed scores of watches and their messages, atomically for each watch. A change is recorded only if the
-- score that the caller knows still equals the compared score, so that two scans do not send two messages. KEYS: 1
-- watches, 2 scores that callers know, 3 pending watches, then the outbox of each watch. ARGV: for each watch: id,
-- compared score, new score, message.
-- Returns the ids of the recorded changes.
local recorded = {}
for at = 4, #KEYS do
  local first = (at - 4) * 4
  local id = ARGV[first + 1]
  local known = redis.call('HGET', KEYS[2], id)
  if redis.call('HEXISTS', KEYS[1], id) == 1 and known == ARGV[first + 2] then
    redis.call('HSET', KEYS[2], id, ARGV[first + 3])
    redis.call('RPUSH', KEYS[at], ARGV[first + 4])
    redis.call('SADD', KEYS[3], id)
    recorded[#recorded + 1] = id
  end
end
return recorded
