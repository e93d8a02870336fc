-- Takes pointers over from a copy, unless those here are as new.
-- KEYS[1]: the pointers. ARGV: revision of the copy, then unit and state of each.
local held = redis.call('HGET', KEYS[1], '#rev')
if held and tonumber(held) >= tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], '#rev', ARGV[1])
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
