/**
 * Counts one request against every given limit, or against none when any of them is used up, and reads epochs. look only
 * says what counting would answer; each counts what has happened, however much is used up, and then looks at every limit as
 * if it were the only one.
 *
 * A limit is a ring of buckets in one hash: field `i` (bucket index modulo ring size), `t` (sum of the ring), `l` (index
 * of the newest bucket) and `o` (index of the oldest that holds a request; looked for once it has left the window). A
 * ring has one bucket more than the window is long, so that no stretch of a whole window ever admits more than the limit.
 * Time is Redis's own: replicas of the gateway need no common clock.
 *
 * KEYS: the limits' hashes, then the epochs. ARGV: number of limits, then limit and bucket width in seconds of each, and the mode;
 * for each then how often what each limit counts has happened.
 * Returns for each, of every limit: 1 when it admits, else 0, what remains of it, seconds until its oldest request leaves.
 * Returns otherwise: 1 when admitted, else 0; the 1-based number of the limit to tell of (the tightest; of those that refuse, the
 * one to wait for longest), what remains of it, seconds until its oldest request leaves the window; then the epochs.
 */
export const COUNT_REQUEST = `
local BUCKETS = 60
local RING = BUCKETS + 1
local now = tonumber(redis.call('TIME')[1])
local n = tonumber(ARGV[1])
local mode = ARGV[2 * n + 2] or 'count'
local admitted, told, remaining, reset = 1, 0, -1, 0
local current, apart = {}, {}

local function add(key, index, total, width, oldest, times)
  redis.call('HSET', key, 'l', index, 't', total + times, 'o', oldest)
  redis.call('HINCRBY', key, index % RING, times)
  redis.call('EXPIRE', key, width * RING + 1)
end

for k = 1, n do
  local key, limit, width = KEYS[k], tonumber(ARGV[k * 2]), tonumber(ARGV[k * 2 + 1])
  local index = math.floor(now / width)
  local state = redis.call('HMGET', key, 'l', 't', 'o')
  local last, total, oldest = tonumber(state[1]) or index, tonumber(state[2]) or 0, tonumber(state[3])
  if index - last >= RING then
    redis.call('DEL', key)
    total = 0
  elseif index > last and total > 0 then
    for i = last + 1, index do
      local slot = i % RING
      local old = redis.call('HGET', key, slot)
      if old then
        total = total - tonumber(old)
        redis.call('HDEL', key, slot)
      end
    end
    redis.call('HSET', key, 'l', index, 't', total)
  end
  if index < last then index = last end
  if total == 0 then
    oldest = index
  elseif not oldest or oldest < index - BUCKETS then
    oldest = index
    for i = index - BUCKETS, index do
      if redis.call('HEXISTS', key, i % RING) == 1 then oldest = i break end
    end
    redis.call('HSET', key, 'o', oldest)
  end
  current[k] = { index, total, width, oldest }
  local happened = mode == 'each' and tonumber(ARGV[2 * n + 2 + k]) or 0
  if happened > 0 then
    add(key, index, total, width, oldest, happened)
    total = total + happened
  end
  local wait = (oldest + RING) * width - now
  apart[#apart + 1] = total < limit and 1 or 0
  apart[#apart + 1] = limit - total - 1
  apart[#apart + 1] = wait
  if total >= limit then
    if admitted == 1 or wait > reset then told, reset = k, wait end
    admitted, remaining = 0, 0
  elseif admitted == 1 then
    local left = limit - total - 1
    if told == 0 or left < remaining then told, remaining, reset = k, left, wait end
  end
end

if mode == 'each' then return apart end
if admitted == 1 and mode ~= 'look' then
  for k = 1, n do
    local index, total, width, oldest = unpack(current[k])
    add(KEYS[k], index, total, width, oldest, 1)
  end
end

local answer = { admitted, told, remaining, reset }
for k = n + 1, #KEYS do answer[#answer + 1] = redis.call('GET', KEYS[k]) end
return answer
`
