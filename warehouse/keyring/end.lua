-- Has a key end, in one step that no other change of it can come between.
-- KEYS: 1 the key's hash. ARGV: 1 ms since 1970 from which it is refused, empty is never; 2 now (ISO 8601).
-- Answers 0 where there is no such key.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
set_end(KEYS[1], ARGV[1], ARGV[2])
return 1
