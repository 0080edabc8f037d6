-- Each thread has one connection and one script: requests separated by \1, sent in order, over and over. A script with
-- \1 at its end is sent once.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  local file = assert(io.open(args[1] .. "/" .. number, "rb"))
  requests, at = {}, 0
  local script = file:read("*a")
  file:close()
  for request in string.gmatch(script, "[^\1]+") do
    requests[#requests + 1] = request
  end
  is_sent_once = string.sub(script, -1) == "\1"
  if number + 1 == tonumber(args[2]) then
    io.stderr:write("ready\n")
  end
  -- wrk calls `request` once in the first thread without sending the result.
  is_looked_at = number == 0
end

function request()
  if is_looked_at then
    is_looked_at = false
    return requests[1]
  end
  at = at % #requests + 1
  if is_sent_once and at == #requests then
    wrk.thread:stop()
  end
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "result %d %d %d %d %d\n",
    summary.requests,
    summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50),
    latency:percentile(99)
  ))
end
