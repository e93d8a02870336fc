-- Changes a field of a hash if the field still has the expected text.
-- KEYS: 1 the hash. ARGV: 1 the field, 2 the expected text, 3 the new text; '' means that the field is absent.
-- Returns 1 if the field was changed, 0 otherwise.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
