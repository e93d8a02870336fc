-- Checks keys and counts their calls, in one step that nothing can come between.
-- KEYS: of each call the key's hash and its count of the month (keyring/layout.ts).
-- ARGV: of each call what it costs, 0 only checks the key, and its instant in ms since 1970.
-- Answers for each { 'invalid' }, { 'broken' }, or { 'admitted' | 'over', monthly limit, calls this month, prefix, admin }.
local function admit(account, usage, cost, now)
  local key = redis.call('HMGET', account, 'active', 'monthly_limit', 'prefix', 'admin')

  -- 2: the key has an end, or belongs to the account of an earlier one, whose limit and counts are its own.
  if key[1] == '2' then
    local more = redis.call('HMGET', account, 'until', 'of')
    if more[1] and more[1] ~= '' and now >= tonumber(more[1]) then
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
  -- A record that makes no sense must not take the calls of other keys with it.
  if not limit or not used then
    return { 'broken' }
  end

  -- A free call passes even when the limit was lowered below what is used. A thousand million is no limit (format.ts).
  if cost > 0 and used + cost > limit and limit < 1000000000 then
    return { 'over', limit, used, key[3], key[4] }
  end
  if cost > 0 then
    used = redis.call('INCRBY', usage, cost)
    redis.call('HINCRBY', account, 'total_requests', cost)
  end
  return { 'admitted', limit, used, key[3], key[4] }
end

local answers = {}
for at = 1, #KEYS, 2 do
  answers[#answers + 1] = admit(KEYS[at], KEYS[at + 1], tonumber(ARGV[at]), tonumber(ARGV[at + 1]))
end
return answers
