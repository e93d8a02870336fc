-- Removes a watch and its messages, atomically. The secret of an account is removed with its last watch.
-- KEYS: 1 watches, 2 scores that callers know, 3 pending watches, 4 secrets, 5 the account's watches, 6 the watch's
-- outbox, 7 its deliveries. ARGV: 1 id, 2 account.
-- Returns 0 if the watch does not exist.
local removed = redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('SREM', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[6], KEYS[7])
if redis.call('EXISTS', KEYS[5]) == 0 then redis.call('HDEL', KEYS[4], ARGV[2]) end
return removed
