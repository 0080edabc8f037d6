-- Append events to a game that is still at the expected version, and publish its new version.
-- KEYS: game, events, and receipts if there is a receipt to keep
-- ARGV: mark, expected version, new version, state, time, lifetime in ms, idempotency key or '', receipt or '',
--       marks kept, receipts kept, lifetime of receipts in ms, field of the snapshot or '', changed record or '', then the
--       events
-- Returns 'done' (also when this very write was done before), 'moved' (another write came first), 'overtaken' (so many
-- came first that a mark of this one may be gone), or the receipt of an earlier request with the same key.
local mark, before, after, state, at, lifetime, key, receipt, max_marks, max_receipts, receipt_lifetime, snapshot,
  record = unpack(ARGV, 1, 13)
local kept = redis.call('HMGET', KEYS[1], 'v', 'w')
if not kept[1] then return 'moved' end
if string.find(kept[2], mark, 1, true) then
  -- Written again for WAIT and WAITAOF, which cover the writes of their own connection only.
  redis.call('HSET', KEYS[1], 'w', kept[2])
  return 'done'
end
local is_due = kept[1] == before
if key ~= '' and not (is_due and redis.call('HSETNX', KEYS[3], key, receipt) == 1) then
  local earlier = redis.call('HGET', KEYS[3], key)
  if earlier then
    redis.call('HSET', KEYS[1], 'w', kept[2])
    return earlier
  end
end
if not is_due then
  return kept[1] - before <= tonumber(max_marks) and 'moved' or 'overtaken'
end
local marks = string.sub(kept[2] .. mark, -max_marks * #mark)
redis.call('HSET', KEYS[1], 'v', after, 's', state, 't', at, 'w', marks)
if record ~= '' then redis.call('HSET', KEYS[1], 'r', record) end
if snapshot ~= '' then redis.call('HSET', KEYS[1], snapshot, after .. ':' .. state) end
redis.call('RPUSH', KEYS[2], unpack(ARGV, 14))
-- pcall: a server that forbids PUBLISH must not refuse the write.
redis.pcall('PUBLISH', KEYS[1], after)
redis.call('PEXPIRE', KEYS[1], lifetime)
redis.call('PEXPIRE', KEYS[2], lifetime)
if key ~= '' then
  redis.call('PEXPIRE', KEYS[3], math.min(lifetime, receipt_lifetime))
  if redis.call('HLEN', KEYS[3]) > tonumber(max_receipts) then
    -- Drop the older half, by the version after the request (bytes 13 to 16 of a receipt).
    local all, versions = redis.call('HGETALL', KEYS[3]), {}
    local function version(i) return (struct.unpack('>I4', all[i], 13)) end
    for i = 2, #all, 2 do versions[#versions + 1] = version(i) end
    table.sort(versions)
    local newest_dropped = versions[math.floor(max_receipts / 2)]
    for i = 2, #all, 2 do
      if version(i) <= newest_dropped then redis.call('HDEL', KEYS[3], all[i - 1]) end
    end
  end
end
return 'done'
