-- Create a game, unless its key exists.
-- KEYS: game, events
-- ARGV: mark, record, state, version, time, lifetime in ms, number of the arguments for snapshots, field and value of
--       each snapshot, then the events
-- Returns 'done' (also when this very write was done before) or 'taken'.
local marks = redis.call('HGET', KEYS[1], 'w')
if marks then
  -- WAIT and WAITAOF cover the writes of their own connection only. A write that was done through an earlier
  -- connection therefore writes again what is there.
  redis.call('HSET', KEYS[1], 'w', marks)
  return string.find(marks, ARGV[1], 1, true) and 'done' or 'taken'
end
redis.call('HSET', KEYS[1], 'w', ARGV[1], 'r', ARGV[2], 's', ARGV[3], 'v', ARGV[4], 't', ARGV[5])
local first_event = 8 + ARGV[7]
for i = 8, first_event - 1, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
-- In parts: the stack of Lua has room for some thousand values.
for i = first_event, #ARGV, 1000 do
  redis.call('RPUSH', KEYS[2], unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
if first_event <= #ARGV then redis.call('PEXPIRE', KEYS[2], ARGV[6]) end
return 'done'
