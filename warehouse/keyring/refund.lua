-- Takes back what admit.lua counted for a call that then failed.
-- KEYS: 1 the key's hash, 2 its count of the month the call was admitted in. ARGV: 1 what it cost.
local cost = tonumber(ARGV[1])

-- Where it is counted; nothing where there is less than that: the counts were replaced meanwhile, and never go below zero.
local function counted(account, usage)
  local owner = redis.call('HGET', account, 'of')
  if owner then
    account, usage = of_account(account, usage, owner)
  end
  whole(redis.call('HGET', account, 'total_requests') or '0', 'total_requests')
  if whole(redis.call('GET', usage) or '0', 'usage') < cost then return nil end
  return { account = account, usage = usage }
end

local is_sound, at = sound(counted, KEYS[1], KEYS[2])
if not is_sound or not at then return 0 end
redis.call('DECRBY', at.usage, cost)
redis.call('HINCRBY', at.account, 'total_requests', -cost)
return 1
