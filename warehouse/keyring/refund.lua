-- Refunds the cost that admit.lua counted for a call that then failed.
-- KEYS: 1 the key's hash, 2 the key's count for the month of the call. ARGV: 1 the cost.
local cost = tonumber(ARGV[1])

-- Finds the account and the count to refund. Returns nil if the count is below the cost: the count was replaced after
-- the call, and a refund would make it negative.
local function find_counts(account, usage)
  local owner = redis.call('HGET', account, 'of')
  if owner then
    account, usage = of_account(account, usage, owner)
  end
  whole(redis.call('HGET', account, 'total_requests') or '0', 'total_requests')
  if whole(redis.call('GET', usage) or '0', 'usage') < cost then return nil end
  return { account = account, usage = usage }
end

local is_valid, counts = protect(find_counts, KEYS[1], KEYS[2])
if not is_valid or not counts then return 0 end
redis.call('DECRBY', counts.usage, cost)
redis.call('HINCRBY', counts.account, 'total_requests', -cost)
return 1
