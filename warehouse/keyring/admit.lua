-- Checks a key and counts its call, in one step that nothing can come between.
-- KEYS: 1 the key's hash, 2 its count of the month (keyring/layout.ts).
-- ARGV: 1 what the call costs; 0 only checks the key. 2 now, in ms since 1970.
-- Answers { 'invalid' }, or { 'admitted' | 'over', monthly limit, calls this month, prefix, admin }.
local account, usage = KEYS[1], KEYS[2]
local key = redis.call('HMGET', account, 'active', 'monthly_limit', 'prefix', 'admin')

-- 2: the key has an end, or belongs to the account of an earlier one, whose limit and counts are its own.
if key[1] == '2' then
  local more = redis.call('HMGET', account, 'until', 'of')
  if more[1] and more[1] ~= '' and tonumber(ARGV[2]) >= tonumber(more[1]) then
    return { 'invalid' }
  end
  if more[2] then
    local own = string.match(account, '{(%x+)}')
    account = string.gsub(account, own, more[2])
    usage = string.gsub(usage, own, more[2])
    local prefix = key[3]
    key = redis.call('HMGET', account, 'active', 'monthly_limit', 'prefix', 'admin')
    key[3] = prefix
  end
end
if key[1] ~= '1' and key[1] ~= '2' then
  return { 'invalid' }
end

local limit = tonumber(key[2])
local used = tonumber(redis.call('GET', usage) or '0')
local cost = tonumber(ARGV[1])

-- A free call passes even when the limit was lowered below what is used. A thousand million is no limit (format.ts).
if cost > 0 and used + cost > limit and limit < 1000000000 then
  return { 'over', limit, used, key[3], key[4] }
end
if cost > 0 then
  used = redis.call('INCRBY', usage, cost)
  redis.call('HINCRBY', account, 'total_requests', cost)
end
return { 'admitted', limit, used, key[3], key[4] }
