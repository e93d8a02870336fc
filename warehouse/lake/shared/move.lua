-- Moves a pointer if it still has the expected state, and returns all pointers; otherwise returns false. Also returns
-- false if Redis has an older revision than the caller saw: the copies in the storage are then newer than Redis.
-- KEYS[1]: the pointers. ARGV: unit, expected state, next state, revision that the caller saw, id of this move.
local rev = tonumber(redis.call('HGET', KEYS[1], '#rev') or '0')
if rev == 0 or rev < tonumber(ARGV[4]) then return false end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return false end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
redis.call('HINCRBY', KEYS[1], '#rev', 1)
redis.call('HSET', KEYS[1], '#id', ARGV[5])
return redis.call('HGETALL', KEYS[1])
