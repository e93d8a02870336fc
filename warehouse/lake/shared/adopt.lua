-- Takes pointers over from a copy, if those here are still the ones it was compared with.
-- KEYS[1]: the pointers. ARGV: revision and id compared with, revision and id of the copy, then unit and state of each.
local rev = redis.call('HGET', KEYS[1], '#rev') or '0'
local id = redis.call('HGET', KEYS[1], '#id') or ''
if rev ~= ARGV[1] or id ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], '#rev', ARGV[3], '#id', ARGV[4])
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
