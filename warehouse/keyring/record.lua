-- Functions shared by the scripts of this folder; scripts.ts inserts this file before each script.

-- Whether the text is a whole number that Redis can increment and that Lua represents exactly.
local function is_whole(text)
  return text == '0' or #text <= 15 and string.match(text, '^%-?[1-9]%d*$') ~= nil
end

-- Parses a whole number; raises an error with the field's name for any other text.
local function whole(text, name)
  if not is_whole(text) then error({ name = name }) end
  return tonumber(text)
end

-- Returns the names of the account's record and monthly count, for a rotated key.
local function of_account(account, usage, owner)
  if not string.match(owner, '^%x+$') then error({ name = 'of' }) end
  local own = string.match(account, '{(%x+)}')
  return (string.gsub(account, own, owner)), (string.gsub(usage, own, owner))
end

-- Runs `work`. If the record is broken, returns false and the name of the invalid field. `work` must not write, because
-- its writes would remain.
local function protect(work, ...)
  local is_valid, result = pcall(work, ...)
  if is_valid then return true, result end
  local problem = type(result) == 'table' and (result.name or result.err) or tostring(result)
  return false, string.match(problem, '^[%a_]+')
end

-- Sets the end of a key in ms since 1970; '' means never. An inactive key stays inactive.
local function set_end(account, until_ms, moment)
  if redis.call('HGET', account, 'active') ~= '0' then
    redis.call('HSET', account, 'active', '2')
  end
  redis.call('HSET', account, 'until', until_ms, 'changed_at', moment)
end
