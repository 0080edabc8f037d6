-- Count a request against all of its limits, or against none if one of them is exceeded.
-- Each limit is a sliding window: the count of the window before weighs as much as of it is still inside.
-- KEYS: a hash for each limit (`s` start of the current window in ms, `c` its count, `p` the count of the window before)
-- ARGV: cost, 'hit' (count if allowed), 'test' (do not count) or 'charge' (count in any case), then for each limit its
--       quota and the length of its window in ms
-- Returns for each limit: what is left of its quota, the ms until it allows the cost (0: now), the ms until its window
-- ends.
local cost, mode = tonumber(ARGV[1]), ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer, windows, is_allowed = {}, {}, true

for i, key in ipairs(KEYS) do
  local quota, length = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  local kept = redis.call('HMGET', key, 's', 'c', 'p')
  local start, count, previous = tonumber(kept[1] or now), tonumber(kept[2] or 0), tonumber(kept[3] or 0)
  if now >= start + 2 * length then
    start, count, previous = now, 0, 0
  elseif now >= start + length then
    start, count, previous = start + length, 0, count
  end
  local ends = start + length - now
  local used = math.floor(previous * ends / length) + count
  -- The largest weighted count, exclusive, at which the cost is still allowed. A charge may be more than the quota.
  local bound = math.max(1, quota - cost + 1)
  local wait = 0
  if used >= bound then
    is_allowed = false
    if count < bound then
      wait = ends - length * (bound - count) / previous
    else
      wait = ends + length * (1 - bound / count)
    end
    wait = math.floor(wait) + 1
  end
  windows[i] = {key, start, count, previous, 2 * length}
  answer[i] = {math.max(0, quota - used), wait, ends}
end

if mode == 'charge' or (mode == 'hit' and is_allowed) then
  for i, window in ipairs(windows) do
    local key, start, count, previous, lifetime = unpack(window)
    redis.call('HSET', key, 's', start, 'c', count + cost, 'p', previous)
    redis.call('PEXPIRE', key, lifetime)
    answer[i][1] = math.max(0, answer[i][1] - cost)
  end
end
return answer
