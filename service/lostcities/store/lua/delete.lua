-- Delete a game if it exists and is at the given version, and publish that it is gone.
-- KEYS: game, events, receipts
-- ARGV: version, or '' for any
-- Returns 'done', 'moved' (it is at another version) or 'gone'.
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return 'gone' end
if ARGV[1] ~= '' and version ~= ARGV[1] then return 'moved' end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
-- pcall: a server that forbids PUBLISH must not refuse the write.
redis.pcall('PUBLISH', KEYS[1], '')
return 'done'
