-- Switches an account on or off, in one step that no other change of it can come between.
-- KEYS: 1 the account's hash. ARGV: 1 '1' for on, '0' for off; 2 now (ISO 8601).
-- Answers 0 where there is no such account.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local active = ARGV[1]
-- One with an end goes on having it.
if active == '1' and (redis.call('HGET', KEYS[1], 'until') or '') ~= '' then active = '2' end
redis.call('HSET', KEYS[1], 'active', active, 'changed_at', ARGV[2])
return 1
