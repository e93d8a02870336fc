-- Checks keys and counts their calls, in one step that nothing can come between.
-- KEYS: of each call the key's hash and its count of the month (keyring/layout.ts).
-- ARGV: of each call what it costs, 0 only checks the key, and its instant in ms since 1970.
-- Answers for each { 'invalid' }, { 'broken', what makes no sense }, or { 'admitted' | 'over', monthly limit, calls this
-- month, prefix, admin }.

-- Where the key stands; nothing for one that may not call.
local function standing(account, usage, now)
  local key = redis.call('HMGET', account, 'active', 'monthly_limit', 'prefix', 'admin', 'total_requests')
  local prefix = key[3]

  -- 2: the key has an end, or belongs to the account of an earlier one, whose limit and counts are its own.
  if key[1] == '2' then
    local more = redis.call('HMGET', account, 'until', 'of')
    if more[1] and more[1] ~= '' and now >= whole(more[1], 'until') then return nil end
    if more[2] then
      account, usage = of_account(account, usage, more[2])
      key = redis.call('HMGET', account, 'active', 'monthly_limit', 'prefix', 'admin', 'total_requests')
    end
  end
  if key[1] ~= '1' and key[1] ~= '2' then return nil end

  -- INCRBY below must not fail: the calls before it are counted by then.
  whole(key[5] or '0', 'total_requests')
  return {
    account = account,
    usage = usage,
    limit = whole(key[2] or '', 'monthly_limit'),
    used = whole(redis.call('GET', usage) or '0', 'usage'),
    prefix = prefix,
    admin = key[4],
  }
end

local function admit(account, usage, cost, now)
  -- A record that makes no sense must not take the calls of other keys with it.
  local is_sound, at = sound(standing, account, usage, now)
  if not is_sound then return { 'broken', at } end
  if not at then return { 'invalid' } end

  -- A free call passes even when the limit was lowered below what is used. A thousand million is no limit (format.ts).
  if cost > 0 and at.used + cost > at.limit and at.limit < 1000000000 then
    return { 'over', at.limit, at.used, at.prefix, at.admin }
  end
  if cost > 0 then
    at.used = redis.call('INCRBY', at.usage, cost)
    redis.call('HINCRBY', at.account, 'total_requests', cost)
  end
  return { 'admitted', at.limit, at.used, at.prefix, at.admin }
end

local answers = {}
for at = 1, #KEYS, 2 do
  answers[#answers + 1] = admit(KEYS[at], KEYS[at + 1], tonumber(ARGV[at]), tonumber(ARGV[at + 1]))
end
return answers
