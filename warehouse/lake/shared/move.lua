-- Moves a pointer if it is where the caller saw it, and returns all of them as they are then; nothing when it is not.
-- KEYS[1]: the pointers. ARGV: unit, state seen, state to be.
if redis.call('HEXISTS', KEYS[1], '#rev') == 0 then return false end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return false end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
redis.call('HINCRBY', KEYS[1], '#rev', 1)
return redis.call('HGETALL', KEYS[1])
