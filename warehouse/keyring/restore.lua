-- Restores one archived key, atomically. An invalid count in Redis counts as lower than any archived count.
-- KEYS: 1 the key's hash, 2 the key's history, 3… the monthly counts in the order of `counts`
-- (warehouse/keyring/layout.ts).
-- ARGV: 1 JSON of fields, total, counts and history.
-- Returns 'added', 'changed' or 'same'.
local archived = cjson.decode(ARGV[1])
local current = redis.call('HMGET', KEYS[1], 'created_at', 'changed_at', 'total_requests')
local outcome = 'same'

local function is_less(text, count)
  return not text or not is_whole(text) or tonumber(text) < tonumber(count)
end

if not current[1] then
  -- The archive does not have the e-mail address.
  redis.call('HSET', KEYS[1], 'email', '')
  outcome = 'added'
end
if not current[1] or archived.fields.changed_at > (current[2] or current[1]) then
  for field, value in pairs(archived.fields) do
    redis.call('HSET', KEYS[1], field, value)
  end
  if current[1] then outcome = 'changed' end
end
if is_less(current[3], archived.total) then
  redis.call('HSET', KEYS[1], 'total_requests', archived.total)
  if current[1] then outcome = 'changed' end
end
for at, count in ipairs(archived.counts) do
  local place = KEYS[at + 2]
  if is_less(redis.call('GET', place), count) then
    redis.call('SET', place, count)
    if current[1] then outcome = 'changed' end
  end
end
for month, row in pairs(archived.history) do
  redis.call('HSETNX', KEYS[2], month, row)
end
return outcome
