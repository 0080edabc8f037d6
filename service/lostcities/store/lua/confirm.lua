-- Write again what is there, so that a WAIT or WAITAOF on this connection covers every earlier write of the game.
-- KEYS: game
local marks = redis.call('HGET', KEYS[1], 'w')
if marks then redis.call('HSET', KEYS[1], 'w', marks) end
return 'done'
