-- Creates the next key of an account, atomically. A key can be rotated once.
-- KEYS: 1 the hash of the old key, 2 the hash of the new key, 3 the set of all keys.
-- ARGV: 1 sha256 of the new key, 2 prefix of the new key, 3 sha256 of the account, 4 ms since 1970 at which the grace
-- period of the old key ends, 5 now in ms, 6 now (ISO 8601).
-- Returns { 'made' }, { 'rotated', prefix of the existing next key }, { 'ended' }, or { 'broken', invalid field }.
local next_prefix, ends = unpack(redis.call('HMGET', KEYS[1], 'next', 'until'))
if next_prefix and next_prefix ~= '' then return { 'rotated', next_prefix } end
ends = ends or ''
if ends ~= '' and not is_whole(ends) then return { 'broken', 'until' } end
if ends ~= '' and tonumber(ends) <= tonumber(ARGV[5]) then return { 'ended' } end

redis.call('HSET', KEYS[2], 'prefix', ARGV[2], 'of', ARGV[3], 'active', '2', 'until', ends)
redis.call('HSET', KEYS[2], 'created_at', ARGV[6], 'changed_at', ARGV[6])
redis.call('SADD', KEYS[3], ARGV[1])
-- If the old key has an end before the grace period is over, it keeps this end.
local last = ARGV[4]
if ends ~= '' and tonumber(ends) < tonumber(last) then last = ends end
set_end(KEYS[1], last, ARGV[6])
redis.call('HSET', KEYS[1], 'next', ARGV[2])
return { 'made' }
