-- Changes a field of a hash if it is what the caller saw.
-- KEYS: 1 the hash. ARGV: 1 the field, 2 the text seen, 3 the text to be; '' is no such field.
-- Answers 1 when it is changed.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
