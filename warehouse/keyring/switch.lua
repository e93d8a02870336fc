-- Activates or deactivates an account, atomically.
-- KEYS: 1 the account's hash. ARGV: 1 '1' to activate, '0' to deactivate; 2 now (ISO 8601).
-- Returns 0 if the account does not exist.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local active = ARGV[1]
-- A key with an end gets state 2 instead of state 1, and keeps its end.
if active == '1' and (redis.call('HGET', KEYS[1], 'until') or '') ~= '' then active = '2' end
redis.call('HSET', KEYS[1], 'active', active, 'changed_at', ARGV[2])
return 1
