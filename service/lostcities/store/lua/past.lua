-- Read a game, and what an earlier version of it is computed from. Writes nothing.
-- KEYS: game, events
-- ARGV: first version of which the events are wanted, version wanted, events between two snapshots
-- Returns {record, state, version, time}, the newest snapshot that is not after the first version ('' if there is
-- none), and the events from that snapshot to the version wanted. Returns false if there is no game.
local game = redis.call('HMGET', KEYS[1], 'r', 's', 'v', 't')
if not game[3] then return false end
local last = math.min(tonumber(ARGV[2]), tonumber(game[3]))
local first = math.min(tonumber(ARGV[1]), last)
local snapshot, version = '', 0
for number = math.floor(first / ARGV[3]), 1, -1 do
  local found = redis.call('HGET', KEYS[1], 'n' .. number)
  local taken_at = found and tonumber(string.match(found, '^%d+'))
  if taken_at and taken_at <= first then
    snapshot, version = found, taken_at
    break
  end
end
-- LRANGE with an end of -1 would return all events.
local events = last > version and redis.call('LRANGE', KEYS[2], version, last - 1) or {}
return {game, snapshot, events}
