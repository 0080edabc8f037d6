-- Each thread has one connection and one script: requests separated by \1, sent in order, over and over.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  local file = assert(io.open(args[1] .. "/" .. number, "rb"))
  requests, at = {}, 0
  for request in string.gmatch(file:read("*a"), "[^\1]+") do
    requests[#requests + 1] = request
  end
  file:close()
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
