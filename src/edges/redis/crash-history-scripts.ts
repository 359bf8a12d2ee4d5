/**
 * Writes records of one controller's pods while the lease stands under that number, and keeps the limits.
 *
 * KEYS: lease, pods (hash uid to record), order (sorted set of uids by last change), owners (sorted set of
 * controllers by last write), coverage. ARGV: token, now in ms, how long to keep in ms, pods kept,
 * controllers kept, controller, key prefix of pods, key prefix of orders, then uid, time of the last change
 * in ms, and record, for each.
 *
 * Gives -1 when fenced, else how many pods and controllers were dropped for the limits; what only grew old is
 * not counted. Of too many pods those whose last change is oldest go, of too many controllers those last
 * written.
 */
export const writeScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
local now, keep = tonumber(ARGV[2]), tonumber(ARGV[3])
local dropped = 0
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - keep)
if not redis.call('ZSCORE', KEYS[4], ARGV[6]) then
  local forgotten = redis.call('HGET', KEYS[5], '#forgotten')
  if forgotten then redis.call('HSET', KEYS[2], '#since', forgotten) end
  while redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[5]) do
    local oldest = redis.call('ZPOPMIN', KEYS[4])[1]
    redis.call('DEL', ARGV[7] .. oldest, ARGV[8] .. oldest)
    redis.call('HSET', KEYS[5], '#forgotten', ARGV[2])
    dropped = dropped + 1
  end
end
redis.call('ZADD', KEYS[4], now, ARGV[6])
for at = 9, #ARGV, 3 do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 2])
  redis.call('ZADD', KEYS[3], ARGV[at + 1], ARGV[at])
end
for _, uid in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - keep)) do
  redis.call('HDEL', KEYS[2], uid)
  redis.call('ZREM', KEYS[3], uid)
end
local over = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[4])
if over > 0 then
  for _, uid in ipairs(redis.call('ZRANGE', KEYS[3], 0, over - 1)) do
    redis.call('HDEL', KEYS[2], uid)
    redis.call('ZREM', KEYS[3], uid)
  end
  redis.call('HINCRBY', KEYS[2], '#dropped', over)
  dropped = dropped + over
end
for key = 2, 5 do redis.call('PEXPIRE', KEYS[key], keep) end
return dropped
`;

/** KEYS: lease, coverage. ARGV: token, namespace field, coverage, how long to keep in ms. */
export const coverScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 0
`;
