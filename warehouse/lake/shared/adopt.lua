-- Replaces all pointers with a copy, if Redis still has the compared revision and id. KEYS[1]: the pointers. ARGV:
-- compared revision and id, revision and id of the copy, then unit and state of each pointer.
local rev = redis.call('HGET', KEYS[1], '#rev') or '0'
local id = redis.call('HGET', KEYS[1], '#id') or ''
if rev ~= ARGV[1] or id ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], '#rev', ARGV[3], '#id', ARGV[4])
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
