#!/usr/bin/env bash
# What a Lua script returns, in ioredis-mock 8.13.1, with which bots test their scripts.
# Guess: the values that Redis documents: a missing value arrives as null, `true` as 1, 3.7 as 3. The mock runs real Lua and
#        answers the single commands as Redis does.
# Seen:  false, true and 3.7. `await claim(...) === null` never holds in the test, and `=== true` never holds in
#        production: the script of a lock passes its tests and fails on Redis, or the other way round.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund ioredis-mock@8.13.1 ioredis@5.8.2 >/dev/null 2>&1
cat >scripts.mjs <<'EOF'
import Redis from 'ioredis-mock';
const redis = new Redis();
console.log('GET missing:', await redis.get('missing'));
for (const script of ["return redis.call('get', 'missing')", 'return true', 'return 3.7']) {
  console.log(`${script}:`, await redis.eval(script, 0));
}
process.exit();
EOF
node scripts.mjs | tee seen
diff seen - <<'EOF'
GET missing: null
return redis.call('get', 'missing'): false
return true: true
return 3.7: 3.7
EOF
