-- Removes the oldest message of a watch if it is still this message, atomically.
-- KEYS: 1 the watch's outbox, 2 pending watches. ARGV: 1 message, 2 id of the watch.
-- Returns the next message; nil if there is none.
if redis.call('LINDEX', KEYS[1], 0) == ARGV[1] then redis.call('LPOP', KEYS[1]) end
local next = redis.call('LINDEX', KEYS[1], 0)
if not next then redis.call('SREM', KEYS[2], ARGV[2]) end
return next
