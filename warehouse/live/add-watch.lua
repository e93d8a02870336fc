-- Adds a watch, atomically.
-- KEYS: 1 watches, 2 scores that callers know, 3 secrets, 4 the account's watches.
-- ARGV: 1 id, 2 watch, 3 score, 4 account, 5 new secret, 6 limit of watches.
-- Returns the secret of the account; nil if the account has too many watches.
if redis.call('SCARD', KEYS[4]) >= tonumber(ARGV[6]) then return nil end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('SADD', KEYS[4], ARGV[1])
redis.call('HSETNX', KEYS[3], ARGV[4], ARGV[5])
return redis.call('HGET', KEYS[3], ARGV[4])
