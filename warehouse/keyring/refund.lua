-- Takes back what admit.lua counted for a call that then failed.
-- KEYS: 1 the key's hash, 2 its count of the month the call was admitted in. ARGV: 1 what it cost.
local cost = tonumber(ARGV[1])
if tonumber(redis.call('GET', KEYS[2]) or '0') < cost then
  return 0 -- the counts were replaced meanwhile; never go below zero
end
redis.call('DECRBY', KEYS[2], cost)
redis.call('HINCRBY', KEYS[1], 'total_requests', -cost)
return 1
