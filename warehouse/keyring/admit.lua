-- Checks a key and counts its call, in one step that nothing can come between.
-- KEYS: 1 the key's hash, 2 its count of the month (keyring/layout.ts).
-- ARGV: 1 what the call costs; 0 only checks the key.
-- Answers { 'invalid' }, or { 'admitted' | 'over', monthly limit, calls this month, prefix, admin }.
local key = redis.call('HMGET', KEYS[1], 'active', 'monthly_limit', 'prefix', 'admin')
if key[1] ~= '1' then
  return { 'invalid' }
end

local limit = tonumber(key[2])
local used = tonumber(redis.call('GET', KEYS[2]) or '0')
local cost = tonumber(ARGV[1])

-- A free call passes even when the limit was lowered below what is used.
if cost > 0 and used + cost > limit then
  return { 'over', limit, used, key[3], key[4] }
end
if cost > 0 then
  used = redis.call('INCRBY', KEYS[2], cost)
  redis.call('HINCRBY', KEYS[1], 'total_requests', cost)
end
return { 'admitted', limit, used, key[3], key[4] }
