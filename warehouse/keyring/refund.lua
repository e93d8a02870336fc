-- Takes back what admit.lua counted for a call that then failed.
-- KEYS: 1 the key's hash, 2 its count of the month the call was admitted in. ARGV: 1 what it cost.
local cost = tonumber(ARGV[1])
local account, usage = KEYS[1], KEYS[2]
local of = redis.call('HGET', account, 'of')
if of then
  local own = string.match(account, '{(%x+)}')
  account = string.gsub(account, own, of)
  usage = string.gsub(usage, own, of)
end
if tonumber(redis.call('GET', usage) or '0') < cost then
  return 0 -- the counts were replaced meanwhile; never go below zero
end
redis.call('DECRBY', usage, cost)
redis.call('HINCRBY', account, 'total_requests', -cost)
return 1
