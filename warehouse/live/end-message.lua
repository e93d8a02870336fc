-- Ends the oldest message of a watch, and records its last attempt, atomically. Another process may already have ended the
-- message; the attempt is then recorded too.
-- KEYS: 1 the watch's outbox, 2 pending watches, 3 the watch's attempts, 4 retries of the account.
-- ARGV: 1 message, 2 id of the watch, 3 attempt, 4 number of attempts to keep, 5 seconds after which attempts expire.
-- Returns the next message; nil if there is none.
if redis.call('LINDEX', KEYS[1], 0) == ARGV[1] then redis.call('LPOP', KEYS[1]) end
redis.call('HDEL', KEYS[4], ARGV[2])
redis.call('LPUSH', KEYS[3], ARGV[3])
redis.call('LTRIM', KEYS[3], 0, tonumber(ARGV[4]) - 1)
redis.call('EXPIRE', KEYS[3], ARGV[5])
local next = redis.call('LINDEX', KEYS[1], 0)
if not next then redis.call('SREM', KEYS[2], ARGV[2]) end
return next
