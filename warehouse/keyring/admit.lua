-- Checks keys and counts their calls, atomically.
-- KEYS: for each call, the key's hash and the key's monthly count (keyring/layout.ts).
-- ARGV: for each call, the cost (0 means only check the key) and the time of the call in ms since 1970.
-- Returns a JSON array with an array for each call: ['invalid'], ['broken', invalid field], or ['admitted' | 'over',
-- monthly limit, calls this month, admin]. A reply in JSON is one string, which clients read faster than nested
-- lists.

-- Reads the account, limit and count of a key; nil for a key that is unknown, inactive or past its end.
local function read_account(account, usage, now)
  local key = redis.call('HMGET', account, 'active', 'monthly_limit', 'admin', 'total_requests')

  -- State 1 is an active key. State 2 is an active key with further fields: an end (`until`), or the account's first
  -- key (`of`), whose limit and counts apply.
  if key[1] == '2' then
    local more = redis.call('HMGET', account, 'until', 'of')
    if more[1] and more[1] ~= '' and now >= whole(more[1], 'until') then return nil end
    if more[2] then
      account, usage = of_account(account, usage, more[2])
      key = redis.call('HMGET', account, 'active', 'monthly_limit', 'admin', 'total_requests')
    end
  end
  if key[1] ~= '1' and key[1] ~= '2' then return nil end

  -- Check the values here: HINCRBY below must not fail, because the earlier calls of the batch are already counted by
  -- then.
  whole(key[4] or '0', 'total_requests')
  return {
    account = account,
    usage = usage,
    limit = whole(key[2] or '', 'monthly_limit'),
    used = whole(redis.call('GET', usage) or '0', 'usage'),
    admin = key[3],
  }
end

local function admit(account, usage, cost, now)
  -- A broken record must not stop the other calls of the batch from being counted.
  local is_valid, key = protect(read_account, account, usage, now)
  if not is_valid then return { 'broken', key } end
  if not key then return { 'invalid' } end

  -- A call with cost 0 passes even if the limit was lowered below the count. A limit of 1,000,000,000 means unlimited
  -- (format.ts).
  if cost > 0 and key.used + cost > key.limit and key.limit < 1000000000 then
    return { 'over', key.limit, key.used, key.admin }
  end
  if cost > 0 then
    key.used = redis.call('INCRBY', key.usage, cost)
    redis.call('HINCRBY', key.account, 'total_requests', cost)
  end
  return { 'admitted', key.limit, key.used, key.admin }
end

local replies = {}
for at = 1, #KEYS, 2 do
  replies[#replies + 1] = admit(KEYS[at], KEYS[at + 1], tonumber(ARGV[at]), tonumber(ARGV[at + 1]))
end
return cjson.encode(replies)
