-- Store the receipt of a creation, unless the key has a receipt.
-- KEYS: receipt
-- ARGV: receipt, lifetime in ms
-- Returns the receipt of the key.
local earlier = redis.call('GET', KEYS[1])
if earlier then
  -- Written again for WAIT and WAITAOF, which cover the writes of their own connection only.
  redis.call('SET', KEYS[1], earlier, 'KEEPTTL')
  return earlier
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
