-- Read a game and some of its events. Writes nothing.
-- KEYS: game, events
-- ARGV: first and last version of which the events are wanted
-- Returns {record, state, version, time}, each false if there is no game, and the events.
local first, last = tonumber(ARGV[1]), tonumber(ARGV[2])
-- LRANGE with an end of -1 would return all events.
local events = last >= first and redis.call('LRANGE', KEYS[2], first - 1, last - 1) or {}
return {redis.call('HMGET', KEYS[1], 'r', 's', 'v', 't'), events}
