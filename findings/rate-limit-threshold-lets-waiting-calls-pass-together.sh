#!/usr/bin/env bash
# Four calls at once through rate-limit-threshold 0.2.1 with one call per second, its "maximum number of calls per given period of time". The script
# records how long each call has to wait, and does not wait itself.
# Guess: 0, 1, 2 and 3 seconds.
# Seen:  0 seconds for the first and 1 second for all others. Each call measures from the last call that has passed, and none counts
#        those that wait. The calls that waited pass together and exceed the limit.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund rate-limit-threshold@0.2.1 >/dev/null 2>&1
cat >limit.js <<'JS'
import { RateLimitThreshold } from 'rate-limit-threshold';
RateLimitThreshold.sleep = async () => {};
const limiter = new RateLimitThreshold(1, 1);
const waits = await Promise.all(['a', 'b', 'c', 'd'].map(() => limiter.limit()));
console.log(waits.map((wait) => `${Math.round(wait / 1000)} s`).join(', '));
JS
node limit.js | tee seen
diff seen - <<'OUT'
0 s, 1 s, 1 s, 1 s
OUT
