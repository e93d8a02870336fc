-- Sets the end of a key, atomically.
-- KEYS: 1 the key's hash. ARGV: 1 end in ms since 1970, empty means never; 2 now (ISO 8601).
-- Returns 0 if the key does not exist.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
set_end(KEYS[1], ARGV[1], ARGV[2])
return 1
