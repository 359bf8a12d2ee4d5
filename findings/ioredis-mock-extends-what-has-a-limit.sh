#!/usr/bin/env bash
# The conditions of EXPIRE (NX: only without a limit, GT: only a later one) on a key that ends in 100 seconds, in
# ioredis-mock 8.13.1, with which bots test their locks and rate limits.
# Guess: the limit stays, as in Redis 7, or an error, as for the commands that the mock does not have.
# Seen:  the condition is dropped: each call sets 10 seconds. The window of a rate limit that must not move with every request
#        (`EXPIRE key 10 NX`) moves in the test, and a lock ends earlier than in production. A test of either proves nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund ioredis-mock@8.13.1 ioredis@5.8.2 >/dev/null 2>&1
cat >limit.mjs <<'EOF'
import Redis from 'ioredis-mock';
const redis = new Redis();
for (const condition of ['NX', 'GT', 'XX']) {
  await redis.set('window', 1, 'EX', 100);
  const changed = await redis.expire('window', 10, condition);
  console.log(`EXPIRE window 10 ${condition}: ${changed}, ends in ${await redis.ttl('window')} s`);
}
process.exit();
EOF
node limit.mjs | tee seen
diff seen - <<'EOF'
EXPIRE window 10 NX: 1, ends in 10 s
EXPIRE window 10 GT: 1, ends in 10 s
EXPIRE window 10 XX: 1, ends in 10 s
EOF
