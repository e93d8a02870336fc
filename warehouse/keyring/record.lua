-- What scripts of this folder share: scripts.ts puts it before each of them.

-- Whether Redis can count with the text: a whole number, and not too large for Lua.
local function is_whole(text)
  return text == '0' or #text <= 15 and string.match(text, '^%-?[1-9]%d*$') ~= nil
end

-- The number; an error that names what of the record it should be, where it is none.
local function whole(text, name)
  if not is_whole(text) then error({ name = name }) end
  return tonumber(text)
end

-- The hash and the count of the account that a rotated key belongs to.
local function of_account(account, usage, owner)
  if not string.match(owner, '^%x+$') then error({ name = 'of' }) end
  local own = string.match(account, '{(%x+)}')
  return (string.gsub(account, own, owner)), (string.gsub(usage, own, owner))
end

-- Does the work; answers false and the name of what makes no sense where the record stops it. The work must not write:
-- what it wrote would stay.
local function sound(work, ...)
  local is_sound, result = pcall(work, ...)
  if is_sound then return true, result end
  local problem = type(result) == 'table' and (result.name or result.err) or tostring(result)
  return false, string.match(problem, '^[%a_]+')
end

-- Has a key end at that many ms since 1970, or with '' never; one that is off stays off.
local function set_end(account, until_ms, moment)
  if redis.call('HGET', account, 'active') ~= '0' then
    redis.call('HSET', account, 'active', '2')
  end
  redis.call('HSET', account, 'until', until_ms, 'changed_at', moment)
end
